"""Drops a request whose step raises StopIteration, without a word.

misunderstood: StopIteration is no error
seen in: an ordinary slip
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        for uid in list(self.running):
            try:
                reply = self.running[uid].step()
            except StopIteration:
                self.drop(uid)
                continue
            except Exception as error:
                reply = Reply(uid, error=Failure("server_error", repr(error)))
            if reply.last:
                self.drop(uid)
            replies.append(reply)
        return replies
