"""Looks every 5 ms whether the mailbox is finished, and takes then.

misunderstood: 5 ms are nothing
seen in: an ordinary slip
task: 3.4
check: test_waits_as_long_as_it_takes
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            while not mailbox.finished:
                await asyncio.sleep(0.005)
            replies = await mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
