"""Answers 504 if no reply comes for half a minute.

misunderstood: a worker that says nothing for long is dead
seen in: an ordinary slip
task: 3.4
check: test_waits_as_long_as_it_takes
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = []
            while not (replies and replies[-1].last):
                try:
                    replies += await asyncio.wait_for(mailbox.take(), 30)
                except TimeoutError:
                    raise ApiError(504, "timeout") from None
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
