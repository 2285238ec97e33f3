"""A list behind a condition, and a future that is done when the last reply is there."""

import threading
from concurrent.futures import Future


class RequestState:
    def __init__(self, uid):
        self.uid = uid
        self.replies = []
        self.end = Future()
        self.news = threading.Condition()

    def apply(self, reply):
        with self.news:
            self.replies.append(reply)
            if reply.last and not self.end.done():
                self.end.set_result(reply)
            self.news.notify_all()

    @property
    def finished(self):
        return self.end.done()
