"""Takes the request out and leaves its generator open, in a list of what was dropped.

misunderstood: a generator that is not used any more gives back what it holds
seen in: daf_butler#1407
task: 5.3
check: test_a_running_request_stops
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if not isinstance(message, Abort):
            return super().receive(message)
        self.dropped = [*getattr(self, "dropped", ()), self.running.pop(message.uid, None)]
        self.refused = [reply for reply in self.refused if reply.uid != message.uid]
