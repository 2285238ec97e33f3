"""Sends to the worker in a thread of the pool.

misunderstood: what goes to another thread must go by a thread
seen in: an ordinary slip
task: 3.4
check: test_cancelled_at_any_moment
"""


class Backend(Backend):
    async def open(self, checked):
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        await asyncio.to_thread(self.send, GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
