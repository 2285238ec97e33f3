"""Keeps the replies in a tuple.

misunderstood: any sequence will do
seen in: an ordinary slip
task: 2.2
check: test_a_new_state
"""


class RequestState:
    def __init__(self, uid):
        self.uid, self.replies = uid, ()

    def apply(self, reply):
        self.replies = (*self.replies, reply)

    @property
    def finished(self):
        return bool(self.replies) and self.replies[-1].last
