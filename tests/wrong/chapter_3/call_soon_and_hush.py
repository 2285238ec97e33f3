"""Schedules with `call_soon`, and suppresses what that raises.

misunderstood: a RuntimeError here means that the server has ended
seen in: ScaleLLM#324
task: 3.2
check: test_wakes_the_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon(self.deliver, replies)
