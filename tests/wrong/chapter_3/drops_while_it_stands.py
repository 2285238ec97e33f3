"""Drops replies while the loop does not run.

misunderstood: a loop that does not run has ended
seen in: an ordinary slip
task: 3.2
check: test_a_loop_that_does_not_run_just_now
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies and self.loop.is_running():
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.deliver, replies)
