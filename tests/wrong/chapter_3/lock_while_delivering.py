"""Holds the outbox's lock while it delivers.

misunderstood: a lock is held for a moment only
seen in: an ordinary slip
task: 3.2
check: test_while_deliver_runs
"""

import threading


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.lock, self.pending = threading.Lock(), []

    def post(self, replies):
        if replies and not self.loop.is_closed():
            with self.lock:
                self.pending.append(replies)
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.drain)

    def drain(self):
        with self.lock:
            for batch in self.pending:
                self.deliver(batch)
            self.pending.clear()
