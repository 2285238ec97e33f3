"""Posts to a closed loop and lets it raise.

misunderstood: the loop outlives the worker
seen in: an ordinary slip
task: 3.2
check: test_a_closed_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies:
            self.loop.call_soon_threadsafe(self.deliver, replies)
