"""Each request is a generator that is asked for its next reply."""

from chapters.core import Abort, WholeText

from .steps import steps


class Turns:
    def __init__(self, core, new_text=WholeText):
        self.start = lambda request: steps(core, request, new_text)
        self.parts = {}

    @property
    def busy(self):
        return len(self.parts) > 0

    def receive(self, message):
        if isinstance(message, Abort):
            return None
        self.parts[message.uid] = part = self.start(message)
        next(part)

    def turn(self):
        replies = [next(part) for part in self.parts.values()]
        for reply in replies:
            if reply.last:
                self.drop(reply.uid)
        return replies

    def drop(self, uid):
        part = self.parts.pop(uid, None)
        if part:
            part.close()
