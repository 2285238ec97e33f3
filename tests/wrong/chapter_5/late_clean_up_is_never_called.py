"""Stores a clean-up that comes after the end.

misunderstood: nobody sets anything up for a request that has ended
seen in: an ordinary slip
task: 5.1
check: test_registered_too_late
"""


class Life(Life):
    def on_end(self, cleanup):
        self.cleanups.append(cleanup)
