"""Waits up to 0.1 s for the loop to have delivered.

misunderstood: a short wait is no wait
seen in: an ordinary slip
task: 3.2
check: test_does_not_wait_for_the_loop
"""

import concurrent.futures


class Bridge(Bridge):
    async def _deliver(self, replies):
        self.deliver(replies)

    def post(self, replies):
        if not replies:
            return
        coroutine = self._deliver(replies)
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        except RuntimeError:
            coroutine.close()
            return
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            concurrent.futures.wait([future], timeout=0.1)
