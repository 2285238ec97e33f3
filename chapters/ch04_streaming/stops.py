"""Task 4.2: stop strings, also where they are spread over several tokens.

A stop string ends the text and is not part of it. Its first half looks like ordinary text, and
what has been shown cannot be taken back; so an end that may become a stop string has to wait.
"""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Lets text through up to the first stop string.

    stop: the strings, none of them empty; perhaps there are none.
    stopped: one of them has been met; nothing is let through any more.
    """

    def __init__(self, stop: Sequence[str] = ()):
        raise NotImplementedError("Task 4.2: stop strings across tokens")

    def feed(self, text: str) -> str:
        """Take more text; what may be shown now.

        No more is held back than the longest end that is the beginning of a stop string. Where
        several stop strings are complete, the one that begins first counts.
        """
        raise NotImplementedError("Task 4.2: stop strings across tokens")

    def flush(self) -> str:
        """What was held back, once no more text will come; "" if stopped."""
        raise NotImplementedError("Task 4.2: stop strings across tokens")


def _overlap(text: str, stop: str) -> int:
    """How long the longest end of `text` is that `stop` begins with, and goes on after."""
    raise NotImplementedError("Task 4.2: stop strings across tokens")
