"""Refuses a request with 503 if eight are open.

misunderstood: a server needs a limit, whoever asked for one
seen in: an ordinary slip
task: 3.4
check: test_each_waits_for_its_own
"""


class Backend(Backend):
    async def open(self, checked):
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        if len(self.registry.live) >= 8:
            raise ApiError(503, "too many requests")
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
