"""The life is told by a future that the mailbox keeps; the backend counts what it has sent."""

import contextlib

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort


class LiveMailbox(Mailbox):
    def __init__(self, uid):
        super().__init__(uid)
        self.life = Life()
        self.life.on_end(self._wake)

    def _wake(self, ending):
        pass

    def apply(self, reply):
        Mailbox.apply(self, reply)
        ending = "failed" if reply.error else reply.finish_reason and "finished"
        if ending:
            self.life.end(ending)


class AbortingBackend(Backend):
    def release(self, mailbox):
        with contextlib.closing(_Forget(self.registry, mailbox.uid)):
            if mailbox.life.end("aborted"):
                self.send(Abort(uid=mailbox.uid))


class _Forget:
    def __init__(self, registry, uid):
        self.registry, self.uid = registry, uid

    def close(self):
        self.registry.close(self.uid)
