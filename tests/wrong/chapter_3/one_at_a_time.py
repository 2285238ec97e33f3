"""Holds a lock from the request to its answer.

misunderstood: a worker that is shared must be locked
seen in: an ordinary slip
task: 3.4
check: test_each_waits_for_its_own
"""


class WaitingAnswer(WaitingAnswer):
    def __init__(self, backend):
        super().__init__(backend)
        self.lock = asyncio.Lock()

    async def __call__(self, endpoint, checked):
        async with self.lock:
            return await super().__call__(endpoint, checked)
