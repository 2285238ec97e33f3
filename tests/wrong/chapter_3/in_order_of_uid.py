"""Steps the running requests in the order of their uids.

misunderstood: uids are given in the order of arrival
seen in: an ordinary slip
task: 3.1
check: test_one_token_each_turn
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        return replies + [self.step(uid) for uid in sorted(self.running)]
