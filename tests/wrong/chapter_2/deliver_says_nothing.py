"""Returns nothing.

misunderstood: whoever delivers does not care
seen in: an ordinary slip
task: 2.3
check: test_the_tape
"""


class Registry(Registry):
    def deliver(self, reply):
        super().deliver(reply)
