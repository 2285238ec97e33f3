"""Posts that come before the loop has woken are joined into one call, under a lock."""

import threading


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.lock, self.outbox, self.woken = threading.Lock(), [], False

    def post(self, replies):
        if not replies:
            return
        with self.lock:
            self.outbox += replies
            if self.woken:
                return
            self.woken = True
        try:
            self.loop.call_soon_threadsafe(self.arrive)
        except RuntimeError:
            if not self.loop.is_closed():
                raise

    def arrive(self):
        with self.lock:
            replies, self.outbox = self.outbox, []
            self.woken = False
        self.deliver(replies)
