"""Telling the worker is a clean-up of the request's life, registered when the request is opened."""

from __future__ import annotations

from functools import partial

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort, CheckedRequest, Reply


class LiveMailbox(Mailbox):
    def __init__(self, uid: str):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        if reply.last:
            self.life.end("failed" if reply.error else "finished")


class AbortingBackend(Backend):
    async def open(self, checked: CheckedRequest) -> tuple[LiveMailbox, int]:
        mailbox, prompt_tokens = await super().open(checked)
        mailbox.life.on_end(partial(self._ended, mailbox.uid))
        return mailbox, prompt_tokens

    def _ended(self, uid: str, ending: str) -> None:
        if ending == "aborted":
            self.send(Abort(uid))

    def release(self, mailbox: LiveMailbox) -> None:
        try:
            mailbox.life.end("aborted")  # of no effect on one that has ended
        finally:
            super().release(mailbox)
