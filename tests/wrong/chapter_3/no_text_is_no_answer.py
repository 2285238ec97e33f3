"""Answers 500 if the whole text is empty.

misunderstood: an empty answer is a failure
seen in: an ordinary slip
task: 3.4
check: test_answers
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
        if not "".join(r.text for r in replies) and not replies[-1].error:
            raise ApiError(500, "no answer")
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
