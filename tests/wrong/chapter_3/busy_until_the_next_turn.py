"""Finds out that a request has ended one turn too late.

misunderstood: one idle turn more does no harm
seen in: an ordinary slip
task: 3.1
check: test_busy
"""


class Turns(Turns):
    def __init__(self, core, new_text=WholeText):
        super().__init__(core, new_text)
        self.had = []

    @property
    def busy(self):
        return bool(self.had or super().busy)

    def turn(self):
        self.had = super().turn()
        return self.had
