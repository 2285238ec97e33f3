"""An early return for the Abort; refusals that were its own are deleted from the back."""

from __future__ import annotations

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest


class AbortableTurns(Turns):
    def receive(self, message: GenerationRequest | Abort) -> None:
        if isinstance(message, Abort):
            self.forget(message.uid)
            return
        super().receive(message)

    def forget(self, uid: str) -> None:
        """No pass, no reply and no memory any more, whatever has become of it."""
        for place in reversed(range(len(self.refused))):
            if self.refused[place].uid == uid:
                del self.refused[place]
        self.drop(uid)
