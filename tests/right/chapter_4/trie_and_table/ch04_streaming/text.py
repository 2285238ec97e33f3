"""The last few pieces that had text are the context of the next; ids without text are dropped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain

HALF = "\ufffd"
PIECES = 3


class IncrementalText:
    def __init__(self, decode: Callable[[Sequence[int]], str]):
        self._decode = decode
        self._context: deque[list[int]] = deque(maxlen=PIECES)  # each begins and ends a character
        self._known = ""  # the text of the context
        self._open: list[int] = []

    def push(self, token: int) -> str:
        self._open.append(token)
        new = self._beyond()
        if new.endswith(HALF) or not (new or self._known):
            return ""  # before any text, an id may be a space that is still to appear
        return self._close(new)

    def flush(self) -> str:
        return self._close(self._beyond())

    def _ids(self, *more: list[int]) -> list[int]:
        return list(chain(*self._context, *more))

    def _beyond(self) -> str:
        return self._decode(self._ids(self._open))[len(self._known) :]

    def _close(self, new: str) -> str:
        if new:
            self._context.append(self._open)
            self._known = self._decode(self._ids())
        self._open = []
        return new
