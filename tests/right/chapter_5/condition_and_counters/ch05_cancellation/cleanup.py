"""Releasing never raises: whoever releases is in a `finally`, with an exception of its own."""

from __future__ import annotations

import logging

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort, Reply

log = logging.getLogger(__name__)


class LiveMailbox(Mailbox):
    def __init__(self, uid: str):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        if reply.last:
            self.life.end("finished" if reply.error is None else "failed")


class AbortingBackend(Backend):
    def release(self, mailbox: LiveMailbox) -> None:
        nobody_waits = mailbox.life.end("aborted")
        try:
            if nobody_waits:
                self.send(Abort(mailbox.uid))
        except Exception:
            log.exception("the worker could not be told that nobody waits for %s", mailbox.uid)
        finally:
            super().release(mailbox)
