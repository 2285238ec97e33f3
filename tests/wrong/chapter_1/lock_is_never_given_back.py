"""Takes a lock and does not release it when a prompt is refused.

misunderstood: what comes after the lock is reached
seen in: an ordinary slip
task: 1.4
check: test_prompt_that_does_not_fit
"""

import asyncio


class BlockingAnswer(BlockingAnswer):
    def __init__(self, core):
        super().__init__(core)
        self.turn = asyncio.Lock()

    async def __call__(self, endpoint, checked):
        await self.turn.acquire()
        response = await super().__call__(endpoint, checked)
        self.turn.release()
        return response
