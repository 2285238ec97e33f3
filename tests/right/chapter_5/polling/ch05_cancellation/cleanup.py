from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.mailbox import Mailbox
from chapters.ch05_cancellation.life import Life
from chapters.core import Abort


class LiveMailbox(Mailbox):
    @property
    def life(self):
        self.__dict__.setdefault("_life", Life())
        return self._life

    def apply(self, reply):
        result = super().apply(reply)
        if reply.last:
            self.life.end({True: "failed", False: "finished"}[bool(reply.error)])
        return result


class AbortingBackend(Backend):
    """Compares by the registry's own table."""

    def release(self, mailbox):
        error = None
        if mailbox.life.ending is None:
            mailbox.life.end("aborted")
            try:
                self.send(Abort(mailbox.uid))
            except Exception as failed:
                error = failed
        self.registry.close(mailbox.uid)
        if error:
            raise error
