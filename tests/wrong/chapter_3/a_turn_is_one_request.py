"""Gives one request its token and puts it at the end of the line.

misunderstood: a turn is what one request has
seen in: an ordinary slip
task: 3.1
check: test_one_token_each_turn
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        for uid in list(self.running)[:1]:
            replies.append(self.step(uid))
            if uid in self.running:
                self.running[uid] = self.running.pop(uid)
        return replies
