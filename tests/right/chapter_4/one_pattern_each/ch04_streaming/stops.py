"""Two regular expressions: a whole stop string anywhere, a beginning of one at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence


class StopStrings:
    def __init__(self, stop: Sequence[str] = ()):
        self.stopped = False
        self._held = ""
        self._whole = _any_of(list(stop), "")
        # A search finds the leftmost match, which here is the longest: all end in one place.
        self._begun = _any_of([s[:n] for s in stop for n in range(1, len(s))], r"\Z")

    def feed(self, text: str) -> str:
        if self.stopped:
            return ""
        text = self._held + text
        met = self._whole.search(text)
        self.stopped = met is not None
        cut = met or self._begun.search(text)
        end = cut.start() if cut else len(text)
        self._held = "" if met else text[end:]
        return text[:end]

    def flush(self) -> str:
        rest, self._held = self._held, ""
        return rest


def _any_of(strings: list[str], after: str) -> re.Pattern[str]:
    """Matches any of these; `(?!)` never matches."""
    return re.compile(f"(?:{'|'.join(map(re.escape, strings)) or '(?!)'}){after}")
