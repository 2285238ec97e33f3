"""Task 5.4: clean-up that holds, also while it is being cancelled itself.

A task that is cancelled gets CancelledError at its `await`, and again at the next one, also in a
`finally`. So the clean-up awaits nothing: first the abort is sent, then the request forgotten.
The other way round, whoever sends the abort would not find what to abort.
"""

from __future__ import annotations

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort, Reply


class LiveMailbox(Mailbox):
    """A mailbox with a life, which its last reply ends: "finished", or "failed" with an error."""

    def __init__(self, uid: str):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply: Reply) -> None:
        """Take one more reply, as before; the last one ends the life."""
        raise NotImplementedError("Task 5.4: clean-up that holds")


class AbortingBackend(Backend):
    """`Backend` that tells the worker when nobody waits any more."""

    def release(self, mailbox: LiveMailbox) -> None:
        """Whoever opened it, with `open`, is done with it. May be called twice.

        If the request has not ended, its life ends "aborted" now, and exactly one `Abort(uid)` is
        sent to the worker, by `self.send`; for a request that has ended none is. Only then is it
        forgotten (`Backend.release`), in any case, also if sending raises: that error may be
        raised on, or logged. Replies that come later are discarded, and counted, by the registry.
        All of this is done when the call ends; it awaits nothing and leaves nothing for later.
        """
        raise NotImplementedError("Task 5.4: clean-up that holds")
