"""Appends to the state's list by itself.

misunderstood: `apply` and `replies.append` are the same
seen in: an ordinary slip
task: 2.3
check: test_new_state
"""


class Registry(Registry):
    def deliver(self, reply):
        state = self.live.get(reply.uid)
        if state is None or state.finished:
            self.discarded += 1
            return False
        state.replies.append(reply)
        return True
