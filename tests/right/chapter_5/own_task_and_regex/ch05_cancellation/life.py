"""A life whose endings are a table: what may follow what, and an ended life is in no row."""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

ENDINGS = ("finished", "failed", "aborted")
NEXT = {None: frozenset(ENDINGS)} | {ending: frozenset() for ending in ENDINGS}


class Life:
    def __init__(self):
        self.ending: str | None = None
        self.cleanups: list[Callable[[str], None]] = []

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        if self.ending is None:
            self.cleanups.append(cleanup)
        else:
            self._call(cleanup)

    def end(self, ending: str) -> bool:
        if ending not in ENDINGS:
            raise ValueError(f"a life ends in one of {ENDINGS}, not in {ending!r}")
        if ending not in NEXT[self.ending]:
            return False
        self.ending = ending
        while self.cleanups:
            self._call(self.cleanups.pop())
        return True

    def _call(self, cleanup: Callable[[str], None]) -> None:
        try:
            cleanup(self.ending)
        except Exception:
            log.exception("a clean-up failed at the ending %r", self.ending)
