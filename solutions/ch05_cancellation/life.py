"""Task 5.1: the life of a request. It ends once, in one way, and is cleaned up once.

Completion and cancellation race: the last reply and the client's leaving may come in any order,
in one turn of the loop. Whoever comes first decides; whoever comes second must find that it was
decided. No I/O and no waiting.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

ENDINGS = ("finished", "failed", "aborted")


class Life:
    """One request's life.

    ending: how it ended, one of `ENDINGS`; None while it goes on.
    """

    def __init__(self):
        # BEGIN SOLUTION
        self.ending: str | None = None
        self.cleanups: list[Callable[[str], None]] = []
        # END SOLUTION

    def on_end(self, cleanup: Callable[[str], None]) -> None:
        """Have `cleanup(ending)` called when it ends; at once, if it has ended already.

        What it raises when it is called at once may be raised on, or logged.
        """
        # BEGIN SOLUTION
        if self.ending is not None:
            cleanup(self.ending)
        else:
            self.cleanups.append(cleanup)
        # END SOLUTION

    def end(self, ending: str) -> bool:
        """End it. True for the first call; a later one changes nothing and is False.

        The clean-ups are called once, the youngest first, with the ending that won. One that
        raises is logged, and the others are called all the same. While they run, `ending` is
        already set. Raises ValueError, and changes nothing, for an ending that is none of
        `ENDINGS`, also when it has ended already.
        """
        # BEGIN SOLUTION
        if ending not in ENDINGS:
            raise ValueError(f"{ending!r} is no ending: expected one of {ENDINGS}")
        if self.ending is not None:
            return False
        self.ending = ending
        while self.cleanups:
            try:
                self.cleanups.pop()(ending)
            except Exception:
                log.exception("a clean-up failed")
        return True
        # END SOLUTION
