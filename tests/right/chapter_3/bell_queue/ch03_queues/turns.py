"""Design: a dataclass; the turn is a comprehension of steps, then one sweep of those who ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chapters.core import (
    Abort,
    Core,
    Generation,
    GenerationRequest,
    Reply,
    TextDecoder,
    WholeText,
)

from .seats import Seat, refusal


@dataclass
class Turns:
    core: Core
    new_text: Callable[..., TextDecoder] = WholeText
    running: dict[str, Generation] = field(default_factory=dict, init=False)
    refused: list[Reply] = field(default_factory=list, init=False)

    @property
    def busy(self) -> bool:
        return any((self.running, self.refused))

    def receive(self, message: GenerationRequest | Abort) -> None:
        if isinstance(message, Abort):
            return
        try:
            self.running[message.uid] = Generation(self.core, message, self.new_text)
        except ValueError as error:
            self.refused.append(refusal(message.uid, error, "invalid_request"))

    def turn(self) -> list[Reply]:
        refused, self.refused = self.refused, []
        stepped = [self.step(uid) for uid in (*self.running,)]
        for reply in stepped:
            if reply.last:
                self.drop(reply.uid)
        return [*refused, *stepped]

    def step(self, uid: str) -> Reply:
        return Seat(uid, self.running[uid]).step()

    def drop(self, uid: str) -> None:
        try:
            generation = self.running.pop(uid)
        except KeyError:
            return
        generation.close()
