"""A deque and a flag that is set when the last one comes."""

from collections import deque


class RequestState:
    def __init__(self, uid):
        self.uid = uid
        self._kept = deque()
        self.finished = False

    @property
    def replies(self):
        return list(self._kept)

    def apply(self, reply):
        self._kept.append(reply)
        if reply.finish_reason is not None or reply.error is not None:
            self.finished = True
