"""The abort is a clean-up of the life, registered when the request is opened."""

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.core import Abort

from .life import Life


class LiveMailbox(Mailbox):
    def __init__(self, uid):
        super().__init__(uid)
        self.life = Life()

    def apply(self, reply):
        if reply.error is not None:
            self.life.end("failed")
        elif reply.finish_reason is not None:
            self.life.end("finished")
        Mailbox.apply(self, reply)


class AbortingBackend(Backend):
    async def open(self, checked):
        mailbox, count = await super().open(checked)
        mailbox.life.on_end(lambda how: how == "aborted" and self.send(Abort(mailbox.uid)))
        return mailbox, count

    def release(self, mailbox):
        mailbox.life.end("aborted")
        super().release(mailbox)
