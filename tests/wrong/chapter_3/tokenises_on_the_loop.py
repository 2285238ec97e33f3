"""Tokenises on the event loop.

misunderstood: only the model is slow
seen in: vllm#34789, vllm#10635
task: 3.4
check: test_tokenising_holds_nobody_up
"""


class Backend(Backend):
    async def open(self, checked):
        prompt, sampling = prepare(self.core, checked)
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
