"""Remembers nothing, and asks the parent's own tables."""

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest


class AbortableTurns(Turns):
    def receive(self, message):
        if isinstance(message, GenerationRequest):
            super().receive(message)
            return
        assert isinstance(message, Abort)
        if message.uid in self.running:
            self.drop(message.uid)
        else:
            self.refused = list(filter(lambda r: r.uid != message.uid, self.refused))
