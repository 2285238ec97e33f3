"""Puts each reply in front.

misunderstood: order can be mended later
seen in: an ordinary slip
task: 2.2
check: test_replies_in_order
"""


class RequestState(RequestState):
    def apply(self, reply):
        self.replies.insert(0, reply)

    @property
    def finished(self):
        return bool(self.replies) and self.replies[0].last
