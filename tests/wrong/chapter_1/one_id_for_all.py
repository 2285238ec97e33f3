"""Gives every answer the same id.

misunderstood: the id is there for the shape
seen in: an ordinary slip
task: 1.4
check: test_ids
"""


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        replies = generate(self.core, GenerationRequest("0", prompt, sampling))
        done = collect(replies, len(prompt))
        return JSONResponse(answer_body(endpoint, "0", self.core.name, done))
