"""An immutable history: each reply makes a new tuple."""


class RequestState:
    __slots__ = ("uid", "history")

    def __init__(self, uid):
        self.uid, self.history = uid, ()

    def apply(self, reply):
        self.history = (*self.history, reply)

    replies = property(lambda self: [*self.history])
    finished = property(lambda self: any(reply.last for reply in self.history))
