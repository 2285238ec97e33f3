"""Gives up after a minute.

misunderstood: every wait needs a time limit
seen in: an ordinary slip
task: 3.4
check: test_waits_as_long_as_it_takes
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = []
            async with asyncio.timeout(60):
                while not (replies and replies[-1].last):
                    replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
