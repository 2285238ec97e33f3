"""Gives each reply to all, who may pick their own.

misunderstood: each reader knows its own replies
seen in: an ordinary slip
task: 2.3
check: test_the_tape
"""


class Registry(Registry):
    def deliver(self, reply):
        for state in self.live.values():
            state.apply(reply)
        return bool(self.live)
