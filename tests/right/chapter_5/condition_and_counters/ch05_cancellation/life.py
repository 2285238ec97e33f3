"""A read-only ending over a deque that is drained from its young end."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

ENDINGS = ("finished", "failed", "aborted")


class Life:
    __slots__ = ("_ending", "_cleanups")

    def __init__(self):
        self._ending: str | None = None
        self._cleanups: deque[Callable[[str], None]] = deque()

    @property
    def ending(self) -> str | None:
        return self._ending

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        self._cleanups.appendleft(cleanup)
        if self._ending is not None:
            self._drain(1)

    def end(self, ending: str) -> bool:
        if ending not in ENDINGS:
            raise ValueError(f"{ending!r} is none of {', '.join(ENDINGS)}")
        first = self._ending is None
        if first:
            self._ending = ending
            self._drain(len(self._cleanups))
        return first

    def _drain(self, count: int) -> None:
        for _ in range(count):
            cleanup = self._cleanups.popleft()
            try:
                cleanup(self._ending)
            except Exception as error:
                log.warning("clean-up %r raised %r", cleanup, error, exc_info=True)
