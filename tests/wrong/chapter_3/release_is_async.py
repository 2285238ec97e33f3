"""Makes `release` an `async def`, and awaits it in `finally`.

misunderstood: what belongs to the loop must be async
seen in: an ordinary slip
task: 3.4
check: test_a_dead_worker_reaches_every_waiter
"""


class Backend(Backend):
    async def release(self, mailbox):
        self.registry.close(mailbox.uid)


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = await mailbox.take()
            while not replies[-1].last:
                replies += await mailbox.take()
        finally:
            await self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
