"""`release` is a `with` statement: its body tells the worker, its exit forgets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort, Reply


def ending_of(reply: Reply) -> str | None:
    """How a life ends with this reply, if it does."""
    if not reply.last:
        return None
    return "failed" if reply.error else "finished"


class LiveMailbox(Mailbox):
    def __init__(self, uid: str):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        ending = ending_of(reply)
        if ending is not None:
            self.life.end(ending)


class AbortingBackend(Backend):
    @contextmanager
    def _at_last_forgetting(self, mailbox: LiveMailbox) -> Iterator[None]:
        try:
            yield
        finally:
            super().release(mailbox)

    def release(self, mailbox: LiveMailbox) -> None:
        with self._at_last_forgetting(mailbox):
            if mailbox.life.ending is None:
                mailbox.life.end("aborted")
                self.send(Abort(mailbox.uid))
