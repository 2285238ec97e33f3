"""Generates with sampling of its own.

misunderstood: the defaults are what everybody wants
seen in: teaching servers that ignore `stop` and `n`
task: 1.4
check: test_what_reaches_the_core
"""

from chapters.core import Sampling


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, _ = prepare(self.core, checked)
        uid = str(next(self.numbers))
        request = GenerationRequest(uid, prompt, Sampling(max_tokens=100))
        done = collect(generate(self.core, request), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
