"""Generates in a thread of its own for each caller.

misunderstood: `asyncio.to_thread` makes blocking work harmless
seen in: production-stack#1016, mended in a hurry
task: 1.4
check: test_one_generation_at_a_time
"""

import asyncio


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        request = GenerationRequest(uid, prompt, sampling)
        done = await asyncio.to_thread(lambda: collect(generate(self.core, request), len(prompt)))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
