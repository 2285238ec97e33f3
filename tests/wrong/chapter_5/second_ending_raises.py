"""Keeps the ending in a future, whose result can be set only once.

misunderstood: ending a request twice is a bug, so it may raise
seen in: ray#41199
task: 5.1
check: test_first_ending_wins
"""

from concurrent.futures import Future


class Life(Life):
    def __init__(self):
        super().__init__()
        self.future = Future()

    def end(self, ending):
        if ending in ENDINGS:
            self.future.set_result(ending)  # raises InvalidStateError the second time
        return super().end(ending)
