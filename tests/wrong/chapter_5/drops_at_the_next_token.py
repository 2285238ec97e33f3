"""Remembers the abort, and looks at it when the next token is there.

misunderstood: there is no other moment at which a request can be stopped
seen in: llama.cpp#13262
task: 5.3
check: test_before_its_first_pass
"""


class AbortableTurns(AbortableTurns):
    gone = frozenset()

    def receive(self, message):
        if isinstance(message, Abort):
            self.gone = self.gone | {message.uid}
        else:
            super().receive(message)

    def turn(self):
        replies = super().turn()
        for uid in self.gone:
            self.drop(uid)
        return [reply for reply in replies if reply.uid not in self.gone]
