"""Plain string methods: find for a whole stop string, endswith for the beginning of one."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    def __init__(self, stop: Sequence[str] = ()):
        self.stop = list(stop)
        self.stopped = False
        self.held = ""

    def feed(self, text: str) -> str:
        if self.stopped:
            return ""
        text = self.held + text
        found = [at for stop in self.stop if (at := text.find(stop)) >= 0]
        if found:
            self.stopped, self.held = True, ""
            return text[: min(found)]
        size = self._begun(text)
        shown, self.held = text[: len(text) - size], text[len(text) - size :]
        return shown

    def flush(self) -> str:
        held, self.held = self.held, ""
        return held

    def _begun(self, text: str) -> int:
        """The length of the longest end of the text that a stop string begins with."""
        beginnings = (stop[:size] for stop in self.stop for size in range(1, len(stop)))
        return max((len(b) for b in beginnings if text.endswith(b)), default=0)
