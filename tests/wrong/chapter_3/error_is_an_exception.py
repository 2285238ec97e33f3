"""Puts the exception itself into the reply.

misunderstood: an exception object is the best description of an error
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except Exception as error:
            reply = Reply(uid, error=error)
        if reply.last:
            self.drop(uid)
        return reply
