"""Looks at the last reply without asking whether there is one.

misunderstood: a request has at least one reply
seen in: an ordinary slip
task: 2.2
check: test_a_new_state
"""


class RequestState(RequestState):
    @property
    def finished(self):
        return self.replies[-1].last
