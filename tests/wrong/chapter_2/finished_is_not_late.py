"""Drops what comes after the last reply without counting it.

misunderstood: only a reply whose uid is unknown is late
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
        if state.finished:
            return False
        state.apply(reply)
        return True
