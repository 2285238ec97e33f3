"""Keeps replies that have text.

misunderstood: a reply without text says nothing
seen in: an ordinary slip
task: 2.2
check: test_equal_replies
"""


class RequestState(RequestState):
    def apply(self, reply):
        if reply.text or reply.last:
            self.replies.append(reply)
