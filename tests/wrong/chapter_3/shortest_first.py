"""Gives the first step to whoever asked for the fewest tokens.

misunderstood: a turn may put those first who are done soon
seen in: an ordinary slip
task: 3.1
check: test_one_token_each_turn
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        order = sorted(self.running, key=lambda uid: self.running[uid].limit)
        return replies + [self.step(uid) for uid in order]
