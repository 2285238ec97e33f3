"""Forgets that a refused request may be aborted too.

misunderstood: whatever is not running is over
seen in: an ordinary slip
task: 5.3
check: test_refused_a_moment_ago
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if isinstance(message, Abort):
            self.drop(message.uid)
        else:
            super().receive(message)
