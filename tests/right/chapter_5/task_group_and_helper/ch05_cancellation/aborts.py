from chapters.ch03_queues.turns import Turns
from chapters.core import Abort


class AbortableTurns(Turns):
    def receive(self, message):
        handler = self._abort if type(message) is Abort else super().receive
        handler(message)

    def _abort(self, abort):
        Turns.drop(self, abort.uid)
        for reply in [r for r in self.refused if r.uid == abort.uid]:
            self.refused.remove(reply)
