"""Task 3.5: harden. Turns are fair, and every waiter ends.

What the worker took up and what it gave is a list of moments. The rule looks at nothing else, so
how a worker is written does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """kind: "admitted", "token" or "ended" (its last reply is made); uid: whose."""

    kind: str
    uid: str


def violations(moments: Sequence[Moment]) -> list[str]:
    """One sentence for each broken promise; an empty list if all were kept.

    More than one for the same broken promise, or one for several, will do.

    moments: what happened, in order, until the worker had nothing left to do. A uid is admitted
        at most once. An "ended" before that, or without it, is not judged: report it or not, but
        raise nothing.

    The promises:
        Turns are fair: between two tokens of one request, every other request that was running
        all the while has had a token. (It runs from its "admitted" to its "ended".)
        Every waiter ends: each request that was admitted has ended exactly once. One that was
        refused or that failed ends without a token, and that is no violation.
        Tokens are for the living: none of a request before it is admitted or after it has ended.
    """
    raise NotImplementedError("Task 3.5: harden: turns are fair, every waiter ends")
