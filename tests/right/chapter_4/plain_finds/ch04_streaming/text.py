"""What is new is what the piece shown last does not say: decode it with and without the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

HALF = "\ufffd"


class IncrementalText:
    def __init__(self, decode: Callable[[Sequence[int]], str]):
        self.decode = decode
        self.context: list[int] = []  # the ids of the piece shown last, whole characters
        self.waiting: list[int] = []

    def push(self, token: int) -> str:
        self.waiting.append(token)
        return self._piece(final=False)

    def flush(self) -> str:
        return self._piece(final=True)

    def _piece(self, final: bool) -> str:
        known = self.decode(self.context)
        text = self.decode(self.context + self.waiting)
        if text.endswith(HALF) and not final:
            return ""
        if self.decode(self.waiting):
            self.context = self.waiting
        elif not known:  # a space alone, in front of everything, may still be one
            self.context = self.context + self.waiting
        self.waiting = []
        return text[len(known) :]
