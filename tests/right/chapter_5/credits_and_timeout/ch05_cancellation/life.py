"""Clean-ups in a linked list, the youngest at its head; who registers too late hears of errors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

log = logging.getLogger(__name__)

ENDINGS = ("finished", "failed", "aborted")


class Link(NamedTuple):
    cleanup: Callable[[str], None]
    older: Link | None


class Life:
    def __init__(self):
        self.ending: str | None = None
        self._youngest: Link | None = None

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        if self.ending is None:
            self._youngest = Link(cleanup, self._youngest)
        else:
            cleanup(self.ending)  # in its caller's own call: what it raises is the caller's

    def end(self, ending: str) -> bool:
        if ending not in ENDINGS:
            raise ValueError(f"ending: {ending!r} is not one of {ENDINGS}")
        if self.ending is not None:
            return False
        self.ending = ending
        link, self._youngest = self._youngest, None
        while link is not None:
            cleanup, link = link
            try:
                cleanup(ending)
            except Exception:
                log.exception("clean-up after %r failed", ending)
        return True
