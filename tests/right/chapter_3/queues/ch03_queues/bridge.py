"""Replies pile up behind a lock; one wake-up at a time collects all that there is."""

import threading


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.lock = threading.Lock()
        self.pile = []

    def _collect(self):
        with self.lock:
            replies, self.pile = self.pile, []
        if replies:
            self.deliver(replies)

    def post(self, replies):
        if len(replies) == 0:
            return
        with self.lock:
            awake = bool(self.pile)
            self.pile.extend(replies)
        if not awake:
            try:
                self.loop.call_soon_threadsafe(self._collect)
            except RuntimeError:
                self.pile.clear()
