"""Delivers whatever carries the uid.

misunderstood: nothing comes after the last reply
seen in: an ordinary slip
task: 2.3
check: test_after_the_last_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        state = self.live.get(reply.uid)
        if state is None:
            self.discarded += 1
            return False
        state.apply(reply)
        return True
