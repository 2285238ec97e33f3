"""Drops late replies without counting them.

misunderstood: what is dropped is of no interest
seen in: an ordinary slip
task: 2.3
check: test_unknown_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        state = self.live.get(reply.uid)
        if state is None or state.finished:
            return False
        state.apply(reply)
        return True
