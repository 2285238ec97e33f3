"""Waits for the reason "stop".

misunderstood: every answer ends with "stop"
seen in: an ordinary slip
task: 2.2
check: test_finished_with_a_reason
"""


class RequestState(RequestState):
    @property
    def finished(self):
        return any(reply.finish_reason == "stop" for reply in self.replies)
