"""Delivers a copy of the outbox, then clears the outbox.

misunderstood: nobody posts between two lines
seen in: an ordinary slip
task: 3.2
check: test_while_deliver_runs
"""


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.pending = []

    def post(self, replies):
        if replies and not self.loop.is_closed():
            self.pending.append(replies)
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.drain)

    def drain(self):
        batches = [r for b in self.pending for r in b]
        if batches:
            self.deliver(batches)
        self.pending.clear()
