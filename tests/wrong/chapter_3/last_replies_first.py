"""Delivers the last replies of a turn first.

misunderstood: whoever is done should hear of it first
seen in: an ordinary slip
task: 3.2
check: test_one_wake_up_a_turn
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(
                    self.deliver, sorted(replies, key=lambda r: not r.last)
                )
