"""The refusals are partitioned, and those that still have a reader are kept."""

from __future__ import annotations

from itertools import filterfalse

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest, Reply


class AbortableTurns(Turns):
    def receive(self, message: GenerationRequest | Abort) -> None:
        if not isinstance(message, Abort):
            return super().receive(message)

        def unwanted(reply: Reply) -> bool:
            return reply.uid == message.uid

        self.refused = list(filterfalse(unwanted, self.refused))
        self.drop(message.uid)
