"""Posts only if the loop runs, and trusts that a moment later.

misunderstood: a loop runs until it is closed
seen in: an ordinary slip
task: 3.2
check: test_a_closed_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies and self.loop.is_running():
            self.loop.call_soon_threadsafe(self.deliver, replies)
