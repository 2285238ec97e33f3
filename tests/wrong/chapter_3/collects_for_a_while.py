"""Delivers 50 ms later, to save wake-ups.

misunderstood: nobody notices 50 ms
seen in: an ordinary slip
task: 3.2
check: test_delivers_in_the_loops_thread
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.loop.call_later, 0.05, self.deliver, replies)
