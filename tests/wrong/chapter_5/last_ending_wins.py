"""Lets whoever comes last say how it ended.

misunderstood: completion and cancellation cannot meet
seen in: an ordinary slip
task: 5.1
check: test_first_ending_wins
"""


class Life(Life):
    def end(self, ending):
        first = super().end(ending)
        self.ending = ending
        return first
