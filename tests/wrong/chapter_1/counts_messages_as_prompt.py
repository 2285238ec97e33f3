"""Counts the messages of the conversation and calls them prompt tokens.

misunderstood: the prompt is what was sent
seen in: an ordinary slip
task: 1.4
check: test_answers
"""


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        replies = generate(self.core, GenerationRequest(uid, prompt, sampling))
        done = collect(replies, len(checked.source))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
