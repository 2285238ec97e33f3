"""Makes the list in a default argument.

misunderstood: a default argument is made anew in each call
seen in: an ordinary slip
task: 2.2
check: test_states_share_nothing
"""


class RequestState(RequestState):
    def __init__(self, uid, replies=[]):  # noqa: B006
        self.uid, self.replies = uid, replies
