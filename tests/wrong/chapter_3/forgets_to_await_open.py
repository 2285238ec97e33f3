"""Does not await `open`.

misunderstood: calling a coroutine function runs it
seen in: an ordinary slip
task: 3.4
check: test_answers
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = self.backend.open(checked)
        replies = await mailbox.take()
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
