"""Empties the whole list of refusals.

misunderstood: there is one refused request at a time
seen in: an ordinary slip
task: 5.3
check: test_refused_a_moment_ago
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        super().receive(message)
        if isinstance(message, Abort):
            self.refused = []
