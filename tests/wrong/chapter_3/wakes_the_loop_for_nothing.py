"""Delivers a list of no replies.

misunderstood: an empty list costs nothing
seen in: an ordinary slip
task: 3.2
check: test_nothing_is_no_wake_up
"""


class Bridge(Bridge):
    def post(self, replies):
        if not self.loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.deliver, replies)
