"""Waits for a finish reason.

misunderstood: a request that failed has not finished
seen in: an ordinary slip
task: 2.2
check: test_finished_with_an_error
"""


class RequestState(RequestState):
    @property
    def finished(self):
        return any(reply.finish_reason for reply in self.replies)
