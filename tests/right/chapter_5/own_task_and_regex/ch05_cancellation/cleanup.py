"""The life is asked whether it can still be aborted; a `finally` forgets."""

from __future__ import annotations

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort, Reply


class LiveMailbox(Mailbox):
    def __init__(self, uid: str):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        if reply.error is not None:
            self.life.end("failed")
        elif reply.last:
            self.life.end("finished")


class AbortingBackend(Backend):
    def release(self, mailbox: LiveMailbox) -> None:
        try:
            if mailbox.life.end("aborted"):
                self.send(Abort(mailbox.uid))
        finally:
            super().release(mailbox)
