"""Makes a turn right away, so that the abort is felt at once, and loses its replies.

misunderstood: an abort ends the turn under way
seen in: an ordinary slip
task: 5.3
check: test_others_go_on
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        super().receive(message)
        if isinstance(message, Abort):
            self.turn()
