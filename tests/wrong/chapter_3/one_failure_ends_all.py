"""Lets an exception of one step out of the turn.

misunderstood: an exception is for whoever called
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        reply = self.running[uid].step()
        if reply.last:
            self.drop(uid)
        return reply
