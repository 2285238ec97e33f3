"""Has the parent refuse, and withdraws."""

from chapters.ch03_queues.turns import Turns
from chapters.core import Abort


class AbortableTurns(Turns):
    def receive(self, message):
        if isinstance(message, Abort):
            self.withdraw(message.uid)
        else:
            super().receive(message)

    def withdraw(self, uid):
        generation = self.running.get(uid)
        if generation:
            generation.close()
            del self.running[uid]
        self.refused = [*(r for r in self.refused if r.uid != uid)]
