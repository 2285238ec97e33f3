"""Throws the replies of an aborted request away, and computes them.

misunderstood: an abort means that nobody wants to hear of it
seen in: an ordinary slip
task: 5.3
check: test_in_the_worker
"""


class AbortableTurns(AbortableTurns):
    gone = frozenset()

    def receive(self, message):
        if isinstance(message, Abort):
            self.gone = self.gone | {message.uid}
        else:
            super().receive(message)

    def turn(self):
        return [reply for reply in super().turn() if reply.uid not in self.gone]
