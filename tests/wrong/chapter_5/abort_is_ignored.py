"""Ignores aborts, as chapter 3 did.

misunderstood: the HTTP side has let go, so the request is over
seen in: mlx-openai-server#269
task: 5.3
check: test_a_running_request_stops
"""


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        if not isinstance(message, Abort):
            super().receive(message)
