"""Does not count a refusal as something to do.

misunderstood: busy means that there is something to compute
seen in: mini-sglang, whose scheduler drops it
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    @property
    def busy(self):
        return bool(self.running)
