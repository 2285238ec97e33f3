"""Puts a newcomer in front of those who run.

misunderstood: in turns, it does not matter who is first
seen in: an ordinary slip
task: 3.1
check: test_one_token_each_turn
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        return replies + [self.step(uid) for uid in reversed(list(self.running))]
