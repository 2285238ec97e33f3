"""Makes the list in the class.

misunderstood: what stands in a class is made anew for each object
seen in: an ordinary slip
task: 2.2
check: test_states_share_nothing
"""


class RequestState(RequestState):
    replies = []

    def __init__(self, uid):
        self.uid = uid
