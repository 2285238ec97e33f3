"""Closes a generation after its last token, not after a failure.

misunderstood: what has failed has cleaned up after itself
seen in: an ordinary slip
task: 3.1
check: test_ended_ones_hold_nothing
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except Exception as error:
            del self.running[uid]
            return Reply(uid, error=Failure("server_error", str(error)))
        if reply.last:
            self.drop(uid)
        return reply
