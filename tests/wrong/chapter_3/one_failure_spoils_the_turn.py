"""Puts the whole turn into one try, and blames all who were in it.

misunderstood: what is computed in one turn fails in one turn
seen in: ray#41199, a batch loop that one member ends
task: 3.1
check: test_a_failure_is_its_own
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        try:
            for uid in list(self.running):
                reply = self.running[uid].step()
                if reply.last:
                    self.drop(uid)
                replies.append(reply)
        except Exception as error:
            failure = Failure("server_error", str(error))
            replies = [Reply(uid, error=failure) for uid in self.running]
            self.running.clear()
        return replies
