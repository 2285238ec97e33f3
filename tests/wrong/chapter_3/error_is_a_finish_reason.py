"""Ends a failed request with finish reason "error" besides.

misunderstood: every last reply needs a finish reason
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except Exception as error:
            reply = Reply(uid, finish_reason="error", error=Failure("server_error", str(error)))
        if reply.last:
            self.drop(uid)
        return reply
