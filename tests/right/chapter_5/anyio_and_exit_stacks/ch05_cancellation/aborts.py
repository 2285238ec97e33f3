from chapters.ch03_queues.turns import Turns
from chapters.core import Abort


class AbortableTurns(Turns):
    """Closes the generation itself."""

    def receive(self, message):
        match message:
            case Abort(uid=uid):
                gone = self.running.pop(uid, None)
                if gone is not None:
                    gone.close()
                self.refused[:] = filter(lambda reply: reply.uid != uid, self.refused)
            case _:
                super().receive(message)
