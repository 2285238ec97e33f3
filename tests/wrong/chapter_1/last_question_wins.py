"""Keeps the request in an attribute and reads it after an await.

misunderstood: an attribute of the answer belongs to one request
seen in: mlx-lm#965
task: 1.4
check: test_real_callers
"""

import asyncio


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        self.checked = checked
        for _ in range(50):
            await asyncio.sleep(0)
        return await super().__call__(endpoint, self.checked)
