"""Says refusals once nobody runs any more.

misunderstood: those who compute go first
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    def turn(self):
        if not self.running:
            replies, self.refused = self.refused, []
            return replies
        return [self.step(uid) for uid in list(self.running)]
