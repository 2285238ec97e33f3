"""Keeps the state in an attribute and reads it after an await.

misunderstood: an attribute of the answer belongs to one request
seen in: mlx-lm#965
task: 2.4
check: test_answers_at_once
"""

import asyncio


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        self.state = self.registry.open()
        await asyncio.sleep(0)
        uid = self.state.uid
        try:
            pump(generate(self.core, GenerationRequest(uid, prompt, sampling)), self.registry)
            done = collect(self.state.replies, len(prompt))
            return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
        finally:
            self.registry.close(uid)
