"""Lets eight answers be under way, and the others wait outside.

misunderstood: a semaphore keeps the worker from being overrun
seen in: an ordinary slip
task: 3.4
check: test_each_waits_for_its_own
"""

_call = WaitingAnswer.__call__


class WaitingAnswer(WaitingAnswer):
    def __init__(self, backend):
        super().__init__(backend)
        self.most = asyncio.Semaphore(8)

    async def __call__(self, endpoint, checked):
        async with self.most:
            return await _call(self, endpoint, checked)
