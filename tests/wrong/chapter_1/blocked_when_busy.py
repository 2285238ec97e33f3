"""Refuses everybody while one generation is under way, in a thread.

misunderstood: at most one generation at a time means at most one caller
seen in: an ordinary slip
task: 1.4
check: test_one_generation_at_a_time
"""

import asyncio


class BlockingAnswer(BlockingAnswer):
    busy = False

    def work(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))

    async def __call__(self, endpoint, checked):
        if self.busy:
            raise ApiError(503, "busy: try later")
        self.busy = True
        try:
            return await asyncio.to_thread(self.work, endpoint, checked)
        finally:
            self.busy = False
