"""Keeps the mailbox in an attribute of the answer, which all requests share.

misunderstood: an attribute of the answer belongs to one request
seen in: mlx-lm#965
task: 3.4
check: test_each_waits_for_its_own
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        self.mailbox, prompt_tokens = await self.backend.open(checked)
        mailbox = self.mailbox
        try:
            replies = await self.mailbox.take()
            while not replies[-1].last:
                replies += await self.mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
