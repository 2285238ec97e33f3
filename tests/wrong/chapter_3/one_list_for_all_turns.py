"""Fills one list anew in each turn.

misunderstood: whoever gets a list has read it by the next turn
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def turn(self):
        self.out = getattr(self, "out", [])
        self.out.clear()
        self.out.extend(self.refused)
        self.refused.clear()
        self.out.extend(self.step(uid) for uid in list(self.running))
        return self.out
