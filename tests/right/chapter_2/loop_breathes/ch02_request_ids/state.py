"""A coroutine of the old kind keeps the state: each reply is sent into it."""


class RequestState:
    def __init__(self, uid):
        self.uid, self.replies = uid, []
        self._ear = self._listen()
        self.finished = next(self._ear)

    def _listen(self):
        finished = False
        while True:
            reply = yield finished
            self.replies.append(reply)
            finished = finished or reply.last

    def apply(self, reply):
        self.finished = self._ear.send(reply)
