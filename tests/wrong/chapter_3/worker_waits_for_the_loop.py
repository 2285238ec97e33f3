"""Waits in the worker until the loop has delivered.

misunderstood: a message is handed over when it has been received
seen in: an ordinary slip
task: 3.2
check: test_does_not_wait_for_the_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if not replies or self.loop.is_closed():
            return

        async def deliver():
            self.deliver(replies)

        coroutine = deliver()
        try:
            arrived = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        except RuntimeError:
            return coroutine.close()
        with contextlib.suppress(TimeoutError):
            arrived.result(None if self.loop.is_closed() else 4)
