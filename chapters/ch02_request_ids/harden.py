"""Task 2.5: harden. Owner and order: what must be true however the replies are interleaved.

A tape is what one pipe carried, from first to last. Two requests of four replies each can be
interleaved in 70 ways, and a rule that holds for one of them may fail for another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chapters.core import Reply


def violations(
    tape: Sequence[Reply], opened: Sequence[str], given: Mapping[str, Sequence[Reply]]
) -> list[str]:
    """One sentence for each broken promise; an empty list if all were kept.

    tape: the replies in the order in which the pipe carried them; some belong to requests that
        nobody has open any more, and some come after their request's last one.
    opened: the uids that were open from before the tape began until after its end.
    given: uid → the replies that its owner was given, in order. A uid that was given nothing
        is missing or has an empty sequence.

    The promises, for each uid in `opened`:
        Its own replies and nobody else's, each as it was on the tape (equal; it may be a copy);
        each once; in the order of the tape; none missing up to its last one (`Reply.last`), and
        nothing after that. A request whose last reply is not on the tape is merely unfinished.
    And for every other uid: it is given nothing.

    A promise that was broken for two uids was broken twice: no uid that was wronged is left out.
    """
    raise NotImplementedError("Task 2.5: harden: owner and order, in all 70 interleavings")
