"""Awaits once between looking at `dead` and opening.

misunderstood: sleep(0) changes nothing
seen in: an ordinary slip
task: 3.4
check: test_nobody_is_given_to_a_dead_worker
"""


class Backend(Backend):
    async def open(self, checked):
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        await asyncio.sleep(0)
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
