"""One automaton walks over all stop strings at once; its depth is what must be held back."""

from __future__ import annotations

from collections.abc import Sequence

from chapters.ch04_streaming.trie import build


class StopStrings:
    def __init__(self, stop: Sequence[str] = ()):
        self.stopped = False
        self._held = ""
        self._node = build(stop)

    def feed(self, text: str) -> str:
        if self.stopped:
            return ""
        before, whole = len(self._held), self._held + text
        first = len(whole) + 1
        for end, letter in enumerate(text, before + 1):
            self._node = self._node.step(letter)
            if self._node.longest:
                first = min(first, end - self._node.longest)
        self.stopped = first < len(whole)
        cut = first if self.stopped else len(whole) - self._node.depth
        self._held = "" if self.stopped else whole[cut:]
        return whole[:cut]

    def flush(self) -> str:
        rest, self._held = self._held, ""
        return rest
