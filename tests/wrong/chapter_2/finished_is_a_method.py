"""Leaves out `@property`.

misunderstood: whoever asks will write the parentheses
seen in: an ordinary slip
task: 2.2
check: test_a_new_state
"""


class RequestState(RequestState):
    def finished(self):
        return bool(self.replies) and self.replies[-1].last
