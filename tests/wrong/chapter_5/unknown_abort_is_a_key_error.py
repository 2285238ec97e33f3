"""Takes it for granted that what is aborted is running.

misunderstood: an abort names a request that exists
seen in: an ordinary slip
task: 5.3
check: test_too_late_or_unknown
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if isinstance(message, Abort):
            self.running.pop(message.uid).close()
        else:
            super().receive(message)
