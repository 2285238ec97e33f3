"""Gives a step to the first eight running requests only.

misunderstood: a batch has a size
seen in: an ordinary slip
task: 3.1
check: test_one_token_each_turn
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        return replies + [self.step(uid) for uid in list(self.running)[:8]]
