"""Keeps each different reply once.

misunderstood: a reply that is equal to an earlier one has come twice
seen in: an ordinary slip
task: 2.2
check: test_equal_replies
"""


class RequestState(RequestState):
    def apply(self, reply):
        if reply not in self.replies:
            self.replies.append(reply)
