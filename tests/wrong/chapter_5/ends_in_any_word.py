"""Takes any word for an ending.

misunderstood: whoever calls it will spell it right
seen in: an ordinary slip
task: 5.1
check: test_unknown_ending
"""


class Life(Life):
    def end(self, ending):
        if self.ending is not None:
            return False
        self.ending = ending
        while self.cleanups:
            self.cleanups.pop()(ending)
        return True
