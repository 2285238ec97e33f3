"""Looks whether the worker lives before it tokenises, not after.

misunderstood: what was true before an await is true after it
seen in: vllm#36451
task: 3.4
check: test_nobody_is_given_to_a_dead_worker
"""


class Backend(Backend):
    async def open(self, checked):
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
