"""Forgets a request with its last reply.

misunderstood: what has ended need not be closed
seen in: an ordinary slip
task: 2.3
check: test_after_the_last_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        done = super().deliver(reply)
        if done and reply.last:
            self.close(reply.uid)
        return done
