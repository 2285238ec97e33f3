"""Lets a request run on if only one token is missing.

misunderstood: so near to the end, it is not worth stopping
seen in: an ordinary slip
task: 5.3
check: test_in_the_last_step
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if isinstance(message, Abort) and message.uid in self.running:
            generation = self.running[message.uid]
            if generation.limit - generation.count == 1 and generation.count:
                return
        super().receive(message)
