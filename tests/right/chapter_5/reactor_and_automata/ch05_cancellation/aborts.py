"""`receive` is dispatched on the message's type; the base class keeps what it knows."""

from __future__ import annotations

from functools import singledispatchmethod

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort


class AbortableTurns(Turns):
    @singledispatchmethod
    def receive(self, message) -> None:
        super().receive(message)

    @receive.register(Abort)
    def _abort(self, message: Abort) -> None:
        self.drop(message.uid)
        for reply in [reply for reply in self.refused if reply.uid == message.uid]:
            self.refused.remove(reply)
