"""Asks whether the loop is closed, and trusts the answer a moment later.

misunderstood: what was true a line ago is true now
seen in: an ordinary slip
task: 3.2
check: test_a_closed_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.deliver, replies)
