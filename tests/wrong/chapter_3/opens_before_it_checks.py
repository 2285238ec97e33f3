"""Opens a request and then prepares it.

misunderstood: a request exists from the moment it arrives
seen in: an ordinary slip
task: 3.4
check: test_refused_ones_are_never_opened
"""


class Backend(Backend):
    async def open(self, checked):
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
