"""Task 5.3: the abort arrives where the work is.

Cancelling is cooperative: a forward pass under way is not undone. What an abort does, it does
between two turns: the request gets no further pass, and its KV cache is given back.
"""

from __future__ import annotations

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort, GenerationRequest


class AbortableTurns(Turns):
    """`Turns` that understands an Abort.

    From chapter 3: `drop(uid)` takes a running request out and gives its KV cache back, and does
    nothing for an unknown uid; `refused` is the list of replies with which requests that do not
    fit are answered by the next turn.
    """

    def receive(self, message: GenerationRequest | Abort) -> None:
        """Take a request up, as before; or drop the one that an Abort names.

        Whether that one is running, was refused a moment ago, has ended, or was never heard of:
        nothing is raised, no pass is made, no reply of it will come from any later turn, and its
        KV cache is gone when this returns: its generation is closed, not only let go of. All
        other requests go on as if nothing had happened. An Abort comes behind its request, never
        before it: one of an unknown uid need not be remembered.
        """
        raise NotImplementedError("Task 5.3: the abort arrives where the work is")
