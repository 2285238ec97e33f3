"""Task 3.5: harden. Turns are fair, and every waiter ends.

What the worker did is a list of moments. The rule looks at nothing else, so it holds for any
way to take turns, with one thread or with ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """kind: "admitted", "token" or "ended" (its last reply was posted); uid: whose."""

    kind: str
    uid: str


def violations(moments: Sequence[Moment]) -> list[str]:
    """One sentence for each broken promise; an empty list if all were kept.

    moments: what happened, in order, until the worker had nothing left to do.

    The promises:
        Turns are fair: between two tokens of one request, every other request that was running
        all the while has had a token. (It runs from its "admitted" to its "ended".)
        Every waiter ends: each request that was admitted has ended, exactly once, and there is
        no token of it afterwards, nor before it was admitted.
    """
    raise NotImplementedError("Task 3.5: harden: turns are fair, every waiter ends")
