"""Sets the ending, and checks afterwards whether there is such a one.

misunderstood: an exception undoes what was done before it
seen in: an ordinary slip
task: 5.1
check: test_unknown_ending
"""


class Life(Life):
    def end(self, ending):
        if self.ending is not None:
            return False
        self.ending = ending
        if ending not in ENDINGS:
            raise ValueError(f"{ending!r} is no ending")
        self.ending = None
        return super().end(ending)
