"""The first text stays in front of whatever is decoded later, so that no id is ever the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

HALF = "\ufffd"


class IncrementalText:
    """`anchor` is the first ids that had text; `pending` is what came since the last text."""

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        self._decode = decode
        self._anchor: list[int] = []
        self._anchor_length = 0
        self._pending: list[int] = []

    def push(self, token: int) -> str:
        self._pending.append(token)
        new = self._new()
        return "" if new.endswith(HALF) else self._show(new)

    def flush(self) -> str:
        return self._show(self._new())

    def _new(self) -> str:
        return self._decode([*self._anchor, *self._pending])[self._anchor_length :]

    def _show(self, new: str) -> str:
        if not self._anchor_length:  # a space alone has no text yet, but must not be forgotten
            self._anchor += self._pending
            self._anchor_length = len(new)
        self._pending = []
        return new
