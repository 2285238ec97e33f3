"""Puts the exception itself into the failure.

misunderstood: whoever reads the message can turn it into text
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except Exception as error:
            reply = Reply(uid, error=Failure("server_error", error))
        if reply.last:
            self.drop(uid)
        return reply
