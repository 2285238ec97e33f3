"""A deque that is turned once around in every turn."""

from collections import deque

from chapters.core import Failure, Generation, GenerationRequest, Reply, WholeText


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.make = lambda request: Generation(core, request, new_text)
        self.line = deque()
        self.news = deque()

    @property
    def busy(self):
        return bool(self.line) or bool(self.news)

    def receive(self, message):
        if not isinstance(message, GenerationRequest):
            return
        try:
            self.line.append(self.make(message))
        except ValueError as error:
            self.news.append(Reply(message.uid, error=Failure("invalid_request", f"{error}")))

    def turn(self):
        replies = []
        while self.news:
            replies.append(self.news.popleft())
        for _ in range(len(self.line)):
            generation = self.line.popleft()
            reply = self._step(generation)
            replies.append(reply)
            if not reply.last:
                self.line.append(generation)
        return replies

    def _step(self, generation):
        try:
            return generation.step()
        except Exception as error:
            generation.close()
            return Reply(generation.uid, error=Failure("server_error", f"broke: {error!r}"))

    def drop(self, uid):
        for generation in [g for g in self.line if g.uid == uid]:
            self.line.remove(generation)
            generation.close()
