"""Tombstones: also a request that comes behind its Abort stays dead. The last thousand are kept."""

from __future__ import annotations

from collections import deque

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest

REMEMBERED = 1000


class AbortableTurns(Turns):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dead: deque[str] = deque(maxlen=REMEMBERED)

    def receive(self, message: GenerationRequest | Abort) -> None:
        if isinstance(message, Abort):
            self.dead.append(message.uid)
            self.drop(message.uid)
            self.refused = [reply for reply in self.refused if reply.uid not in self.dead]
        elif message.uid not in self.dead:
            super().receive(message)
