"""Filters what a turn says; keeps no list for longer than that turn."""

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort


class AbortableTurns(Turns):
    def receive(self, message):
        if not isinstance(message, Abort):
            return super().receive(message)
        self.drop(message.uid)
        kept = []
        for reply in self.refused:
            if reply.uid == message.uid:
                continue
            kept.append(reply)
        self.refused = kept
