"""Leaves a failed request among those that run.

misunderstood: only a finish reason ends a request
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except Exception as error:
            return Reply(uid, error=Failure("server_error", str(error)))
        if reply.last:
            self.drop(uid)
        return reply
