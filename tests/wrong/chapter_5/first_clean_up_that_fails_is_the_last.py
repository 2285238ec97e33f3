"""Lets the exception of a clean-up out, past the others.

misunderstood: clean-ups do not fail
seen in: an ordinary slip
task: 5.1
check: test_a_clean_up_that_raises
"""


class Life(Life):
    def end(self, ending):
        if ending not in ENDINGS:
            raise ValueError(f"{ending!r} is no ending")
        if self.ending is not None:
            return False
        self.ending = ending
        while self.cleanups:
            self.cleanups.pop()(ending)
        return True
