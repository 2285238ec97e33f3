"""Structural pattern matching on the message, and the refusals thinned out in place."""

from __future__ import annotations

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest


class AbortableTurns(Turns):
    def receive(self, message: GenerationRequest | Abort) -> None:
        match message:
            case Abort(uid=uid):
                self.drop(uid)
                self.refused[:] = [reply for reply in self.refused if reply.uid != uid]
            case _:
                super().receive(message)
