"""Takes a finish reason, and no error, for the end.

misunderstood: a request that failed may still succeed
seen in: an ordinary slip
task: 2.3
check: test_after_the_last_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        state = self.live.get(reply.uid)
        if state is None or any(earlier.finish_reason for earlier in state.replies):
            self.discarded += 1
            return False
        state.apply(reply)
        return True
