"""Generates in the threads that frameworks give to plain `def` handlers.

misunderstood: a framework that puts `def` handlers into threads has solved blocking
seen in: production-stack#1016, mended in a hurry
task: 1.4
check: test_one_generation_at_a_time
"""

from starlette.concurrency import run_in_threadpool


class BlockingAnswer(BlockingAnswer):
    def answer_now(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))

    async def __call__(self, endpoint, checked):
        return await run_in_threadpool(self.answer_now, endpoint, checked)
