"""Awaits between tokens, so that callers interleave on the loop.

misunderstood: `await asyncio.sleep(0)` in the loop over tokens is all that concurrency needs
seen in: an ordinary slip
task: 1.4
check: test_one_generation_at_a_time
"""

import asyncio


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid, replies = str(next(self.numbers)), []
        for reply in generate(self.core, GenerationRequest(uid, prompt, sampling)):
            replies.append(reply)
            await asyncio.sleep(0)
        done = collect(replies, len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
