"""Takes StopIteration for a regular end.

misunderstood: a generator that ends has said everything
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def step(self, uid):
        try:
            reply = self.running[uid].step()
        except StopIteration:
            reply = Reply(uid, finish_reason="stop")
        except Exception as error:
            reply = Reply(uid, error=Failure("server_error", repr(error)))
        if reply.last:
            self.drop(uid)
        return reply
