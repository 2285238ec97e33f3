"""Looks at the word only if the life goes on.

misunderstood: what comes second changes nothing, so it need not be checked
seen in: an ordinary slip
task: 5.1
check: test_unknown_ending
"""


class Life(Life):
    def end(self, ending):
        return self.ending is None and super().end(ending)
