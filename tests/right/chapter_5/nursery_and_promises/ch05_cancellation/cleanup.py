"""What is left to do stands on an ExitStack, the forgetting at the bottom."""

from __future__ import annotations

from contextlib import ExitStack

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
        match reply:
            case Reply(error=None, finish_reason=None):
                pass
            case Reply(error=None):
                self.life.end("finished")
            case _:
                self.life.end("failed")


class AbortingBackend(Backend):
    def release(self, mailbox: LiveMailbox) -> None:
        with ExitStack() as left_to_do:
            left_to_do.callback(super().release, mailbox)
            if mailbox.life.end("aborted"):
                left_to_do.callback(self.send, Abort(mailbox.uid))
