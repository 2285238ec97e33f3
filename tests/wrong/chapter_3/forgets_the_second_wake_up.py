"""Wakes the loop only if no delivery is under way.

misunderstood: whoever is awake will see what comes
seen in: an ordinary slip
task: 3.2
check: test_while_deliver_runs
"""


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.pending, self.waking = [], False

    def post(self, replies):
        if not replies:
            return
        self.pending.extend(replies)
        if not self.waking:
            self.waking = True
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.flush)

    def flush(self):
        batch, self.pending = self.pending, []
        self.deliver(batch)
        self.waking = False
