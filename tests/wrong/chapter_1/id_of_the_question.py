"""Makes the id from the prompt.

misunderstood: equal questions may have equal ids (logs, deduplication)
seen in: an ordinary slip
task: 1.4
check: test_ids
"""

import hashlib


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = hashlib.md5(repr(prompt).encode()).hexdigest()[:12]
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
