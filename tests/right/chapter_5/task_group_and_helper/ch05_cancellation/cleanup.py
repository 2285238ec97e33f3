"""Composition: the life belongs to a wrapper around what ch03's mailbox does."""

from contextlib import ExitStack

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.core import Abort

from .life import Life


class LiveMailbox(Mailbox):
    def __init__(self, uid):
        self.life = Life()
        super().__init__(uid)

    def apply(self, reply):
        with ExitStack() as afterwards:
            if reply.last:
                afterwards.callback(self.life.end, "failed" if reply.error else "finished")
            super().apply(reply)


class AbortingBackend(Backend):
    def release(self, mailbox):
        with ExitStack() as afterwards:
            afterwards.callback(super().release, mailbox)
            if mailbox.life.end("aborted"):
                self.send(Abort(mailbox.uid))
