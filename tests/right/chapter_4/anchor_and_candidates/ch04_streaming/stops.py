"""Every place where a stop string may have begun is a candidate, and dies at the first misfit."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Positions count from the beginning of the answer."""

    def __init__(self, stop: Sequence[str] = ()):
        self.stopped = False
        self._stop = tuple(stop)
        self._held = ""
        self._at = 0  # where the next character stands
        self._alive: list[tuple[int, str]] = []  # (where it begins, the stop string)

    def feed(self, text: str) -> str:
        if self.stopped:
            return ""
        origin = self._at - len(self._held)
        whole = self._held + text
        begins = [begin for letter in text for begin in self._step(letter)]
        if begins:
            self.stopped, self._held, self._alive = True, "", []
            return whole[: min(begins) - origin]
        cut = min((begin for begin, _ in self._alive), default=self._at) - origin
        self._held = whole[cut:]
        return whole[:cut]

    def flush(self) -> str:
        rest, self._held, self._alive = self._held, "", []
        return rest

    def _step(self, letter: str) -> list[int]:
        """One more character; where the stop strings begin that it completes."""
        tried = self._alive + [(self._at, stop) for stop in self._stop]
        fits = [(begin, stop) for begin, stop in tried if stop[self._at - begin] == letter]
        self._at += 1
        self._alive = [(begin, stop) for begin, stop in fits if begin + len(stop) > self._at]
        return [begin for begin, stop in fits if begin + len(stop) == self._at]
