"""Shields `open` from cancellation.

misunderstood: what is begun should be finished
seen in: an ordinary slip
task: 3.4
check: test_cancelled_at_any_moment
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await asyncio.shield(self.backend.open(checked))
        try:
            replies = await mailbox.take()
            while not replies[-1].last:
                replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
