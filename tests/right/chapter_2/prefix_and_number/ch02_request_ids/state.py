"""A list that knows by itself whether it has ended."""


class _Replies(list):
    ended = False

    def append(self, reply):
        super().append(reply)
        self.ended |= reply.last


class RequestState:
    def __init__(self, uid):
        self.uid, self.replies = uid, _Replies()

    def apply(self, reply):
        self.replies.append(reply)

    finished = property(lambda self: self.replies.ended)
