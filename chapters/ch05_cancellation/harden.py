"""Task 5.5: harden. What a cancellation must leave behind: nothing.

What happened on both sides is a list of moments, the HTTP side's and the worker's together, in
the order in which they happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """kind, and whose it was:

    HTTP side   "opened", "last reply" (delivered to its owner), "abort asked", "closed"
    worker      "pass" (a forward pass begins), "kv freed"
    """

    kind: str
    uid: str


def violations(moments: Sequence[Moment]) -> list[str]:
    """What was broken, in one sentence or more; an empty list if all promises were kept.

    moments: what happened, in order, until all clients were gone and the worker was idle.

    The promises, for each request:
        It is opened once and closed once, in this order; nothing of the HTTP side comes before
        or after.
        It ends once: either its last reply is delivered, or one abort is asked; not both, not
        two, not neither.
        After its abort, at most one more pass begins (the abort may have come during a turn).
        If a pass was made for it, its KV cache is freed exactly once, and no pass begins after.

    A cache that is freed without a pass, and a pass that begins before "opened", break none of
    them; to find fault with these as well is right too.
    """
    raise NotImplementedError("Task 5.5: harden: nothing is left behind")
