"""Releases the mailbox after the last line.

misunderstood: code at the end always runs
seen in: LitServe#683, whose cancelled waiters stay
task: 3.4
check: test_released_however_it_ends
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        replies = await mailbox.take()
        while not replies[-1].last:
            replies += await mailbox.take()
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        self.backend.release(mailbox)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
