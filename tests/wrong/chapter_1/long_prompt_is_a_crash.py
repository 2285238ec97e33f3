"""Encodes by itself, so that a prompt without room fails inside the core.

misunderstood: the core will say what is wrong
seen in: mini-sglang, whose scheduler drops it
task: 1.4
check: test_prompt_that_does_not_fit
"""


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, uid = self.core.encode(checked.source), str(next(self.numbers))
        request = GenerationRequest(uid, prompt, checked.sampling)
        done = collect(generate(self.core, request), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
