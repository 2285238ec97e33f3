"""Counts a late reply and leaves with a bare return.

misunderstood: None is as good as False
seen in: an ordinary slip
task: 2.3
check: test_unknown_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        return super().deliver(reply) or None
