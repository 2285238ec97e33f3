"""Answers an abort with a last reply.

misunderstood: everything that is sent gets an answer
seen in: an ordinary slip
task: 5.3
check: test_a_running_request_stops
"""

from chapters.core import Reply


class AbortableTurns(AbortableTurns):
    def receive(self, message):
        super().receive(message)
        if isinstance(message, Abort):
            self.refused.append(Reply(message.uid, finish_reason="stop"))
