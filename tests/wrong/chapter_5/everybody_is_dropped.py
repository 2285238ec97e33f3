"""Empties the table when one client leaves.

misunderstood: an abort stops the worker
seen in: an ordinary slip
task: 5.3
check: test_others_go_on
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        super().receive(message)
        if isinstance(message, Abort):
            for uid in list(self.running):
                self.drop(uid)
