"""Opens first, and closes on Exception only.

misunderstood: `except Exception` catches everything
seen in: vllm#1020
task: 3.4
check: test_a_client_that_leaves_during_tokenising
"""


class Backend(Backend):
    async def open(self, checked):
        mailbox = self.registry.open()
        try:
            prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
            if self.dead is not None:
                raise ApiError(503, f"the worker is dead: {self.dead}")
            self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        except Exception:
            self.registry.close(mailbox.uid)
            raise
        return mailbox, len(prompt)
