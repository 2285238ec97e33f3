"""Calls the clean-ups in the order in which they were registered.

misunderstood: the order of clean-ups does not matter
seen in: an ordinary slip
task: 5.1
check: test_clean_ups_once_youngest_first
"""


class Life(Life):
    def end(self, ending):
        if self.ending is None:
            self.cleanups.reverse()
        return super().end(ending)
