"""The State pattern: an ongoing life collects, an ended one calls at once; endings are an enum."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

log = logging.getLogger(__name__)


class Ending(StrEnum):
    FINISHED = "finished"
    FAILED = "failed"
    ABORTED = "aborted"


ENDINGS = tuple(Ending)


@dataclass(frozen=True)
class Ended:
    ending: Ending

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        try:
            cleanup(self.ending)
        except Exception:
            log.exception("clean-up %r failed; the others go on", cleanup)

    def end(self, ending: Ending) -> Ended:
        return self


@dataclass(frozen=True)
class Ongoing:
    cleanups: list[Callable[[str], None]] = field(default_factory=list)
    ending: None = None

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        self.cleanups.append(cleanup)

    def end(self, ending: Ending) -> Ended:
        return Ended(ending)


class Life:
    def __init__(self):
        self.state: Ongoing | Ended = Ongoing()

    @property
    def ending(self) -> Ending | None:
        return self.state.ending

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        self.state.on_end(cleanup)

    def end(self, ending: str) -> bool:
        was, self.state = self.state, self.state.end(Ending(ending))
        if was is self.state:
            return False
        for cleanup in reversed(was.cleanups):
            self.state.on_end(cleanup)
        return True
