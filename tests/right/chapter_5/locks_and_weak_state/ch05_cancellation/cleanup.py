"""The state of a life is looked up before the abort, and set by hand."""

from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation import life
from chapters.core import Abort


class LiveMailbox(Mailbox):
    def __init__(self, uid):
        Mailbox.__init__(self, uid)
        self.life = life.Life()

    def apply(self, reply):
        Mailbox.apply(self, reply)
        if self.finished:
            self.life.end("finished" if self.replies[-1].error is None else "failed")


class AbortingBackend(Backend):
    def release(self, mailbox):
        try:
            self._abort_if_unfinished(mailbox)
        except Exception:
            Backend.release(self, mailbox)
            raise
        Backend.release(self, mailbox)

    def _abort_if_unfinished(self, mailbox):
        if not mailbox.life.end("aborted"):
            return
        self.send(Abort(mailbox.uid))
