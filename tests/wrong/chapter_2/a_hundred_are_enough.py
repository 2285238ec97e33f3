"""Forgets the oldest request when a hundred are open.

misunderstood: a bound on memory may drop who waits
seen in: an ordinary slip
task: 2.3
check: test_open
"""


class Registry(Registry):
    def open(self):
        if len(self.live) >= 100:
            self.live.pop(next(iter(self.live)))
        return super().open()
