"""Says that some other model has answered.

misunderstood: the name is there for the shape
seen in: an ordinary slip
task: 1.4
check: test_answers
"""


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, "gpt-3.5-turbo", done))
