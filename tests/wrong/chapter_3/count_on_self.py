"""Keeps the number of prompt tokens in the answer object.

misunderstood: each request has an answer object of its own
seen in: an ordinary slip
task: 3.4
check: test_each_waits_for_its_own
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        self.mailbox, self.count = await self.backend.open(checked)
        mailbox = self.mailbox
        try:
            replies = await mailbox.take()
            while not replies[-1].last:
                replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, self.count)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
