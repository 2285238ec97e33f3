"""A window of ids, cut down to about its last eight whenever it has grown to sixteen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

HALF = "\ufffd"
KEEP, MOST = 8, 16
LONGEST = 4  # bytes of a character


class IncrementalText:
    """Invariant: the first `shown` characters of decode(window) have been shown."""

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        self.decode = decode
        self.window: list[int] = []
        self.shown = 0

    def push(self, token: int) -> str:
        self.window.append(token)
        text = self.decode(self.window)
        if text.endswith(HALF):
            return ""
        new, self.shown = text[self.shown :], len(text)
        if self.shown and not new:
            self.window.pop()  # an id without text, behind some text, changes nothing
        elif len(self.window) >= MOST:
            self._cut()
        return new

    def flush(self) -> str:
        text = self.decode(self.window)
        new, self.shown = text[self.shown :], len(text)
        return new

    def _cut(self) -> None:
        """Forget old ids, all shown; a cut inside a character would leave other text behind it."""
        whole = self.decode(self.window)
        for size in range(KEEP, KEEP + LONGEST):
            text = self.decode(self.window[-size:])
            if text and whole.endswith(text):
                self.window, self.shown = self.window[-size:], len(text)
                return
