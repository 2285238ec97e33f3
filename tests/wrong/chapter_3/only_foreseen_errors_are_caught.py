"""Catches RuntimeError, which is what the model raised so far.

misunderstood: the errors seen so far are all there are
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except RuntimeError as error:
            reply = Reply(uid, error=Failure("server_error", str(error)))
        if reply.last:
            self.drop(uid)
        return reply
