"""Drops a request only if it has had a token.

misunderstood: what has not begun needs no stopping
seen in: sglang#30912
task: 5.3
check: test_before_its_first_pass
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if not isinstance(message, Abort):
            super().receive(message)
        elif message.uid in self.running and self.running[message.uid].count:
            self.drop(message.uid)
