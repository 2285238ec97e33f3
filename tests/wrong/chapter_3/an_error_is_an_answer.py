"""Does not look whether the last reply carries an error.

misunderstood: the last reply has a finish reason
seen in: an ordinary slip
task: 3.4
check: test_errors_of_the_worker
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = await mailbox.take()
            while not replies[-1].last:
                replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
