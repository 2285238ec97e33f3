"""Draws the id from ten thousand.

misunderstood: random means unique
seen in: an ordinary slip
task: 1.4
check: test_ids
"""

import random


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(random.randrange(10000))
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
