"""One attribute that is either the list of clean-ups or the ending: both at once cannot be."""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

ENDINGS = ("finished", "failed", "aborted")
Cleanup = Callable[[str], None]


def run(cleanup: Cleanup, ending: str) -> None:
    try:
        cleanup(ending)
    except Exception as error:
        log.error("clean-up failed, the others go on: %r", error, exc_info=error)


class Life:
    def __init__(self):
        self._state: list[Cleanup] | str = []

    @property
    def ending(self) -> str | None:
        return self._state if isinstance(self._state, str) else None

    def on_end(self, cleanup: Cleanup) -> None:
        if isinstance(self._state, str):
            run(cleanup, self._state)
        else:
            self._state.append(cleanup)

    def end(self, ending: str) -> bool:
        if ending not in ENDINGS:
            raise ValueError(f"unknown ending {ending!r}, expected one of {ENDINGS}")
        if isinstance(self._state, str):
            return False
        cleanups, self._state = self._state, ending
        for cleanup in reversed(cleanups):
            run(cleanup, ending)
        return True
