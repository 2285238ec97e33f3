"""Waits for a finish reason, which a failed request never gets.

misunderstood: every request has a finish reason in the end
seen in: mini-sglang, whose client waits for ever
task: 3.4
check: test_errors_of_the_worker
"""


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = await mailbox.take()
            while replies[-1].finish_reason is None:
                replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
