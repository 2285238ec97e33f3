"""Task 4.2: stop strings, also where they are spread over several tokens.

A stop string ends the text and is not part of it. Its first half looks like ordinary text, and
what has been shown cannot be taken back; so an end that may become a stop string has to wait.
"""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Lets text through up to the first stop string.

    stop: the strings, none of them empty, each taken as it is; perhaps there are none.
    stopped: False until one of them is met; then True, and nothing is let through any more.
    """

    def __init__(self, stop: Sequence[str] = ()):
        # BEGIN SOLUTION
        self.stop, self.held, self.stopped = tuple(stop), "", False
        # END SOLUTION

    def feed(self, text: str) -> str:
        """Take more text, perhaps ""; what may be shown now, which is all before a stop string.

        An end of the text that is the beginning of a stop string is held back, the longest such
        end, and no more than that. A stop string that is complete is met, also where a longer one
        might still become complete. Where several are complete once this text is there, the one
        that begins first counts, whatever their order in `stop`, and whichever ends first.
        """
        # BEGIN SOLUTION
        if self.stopped:
            return ""
        text = self.held + text
        found = [at for at in map(text.find, self.stop) if at >= 0]
        if found:
            self.stopped, self.held = True, ""
            return text[: min(found)]
        keep = max((_overlap(text, stop) for stop in self.stop), default=0)
        self.held = text[len(text) - keep :]
        return text[: len(text) - keep]
        # END SOLUTION

    def flush(self) -> str:
        """What is held back, once no more text will come: it has become no stop string.

        "" if nothing is, or if stopped.
        """
        # BEGIN SOLUTION
        held, self.held = self.held, ""
        return held
        # END SOLUTION


def _overlap(text: str, stop: str) -> int:
    """How long the longest end of `text` is that `stop` begins with."""
    # BEGIN SOLUTION
    return next((n for n in range(len(stop), 0, -1) if text.endswith(stop[:n])), 0)
    # END SOLUTION
