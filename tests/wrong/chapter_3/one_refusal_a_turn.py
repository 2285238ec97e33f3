"""Says one refusal in each turn.

misunderstood: refused ones take turns too
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    def turn(self):
        replies = [self.refused.pop(0)] if self.refused else []
        return replies + [self.step(uid) for uid in list(self.running)]
