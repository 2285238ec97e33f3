"""Tries a step up to three times.

misunderstood: a step that failed can be repeated
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        for _ in range(3):
            try:
                reply = self.running[uid].step()
                break
            except Exception as error:
                reply = Reply(uid, error=Failure("server_error", str(error)))
        if reply.last:
            self.drop(uid)
        return reply
