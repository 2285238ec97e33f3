"""Makes a 400 of whatever `prepare` raises.

misunderstood: what goes wrong with a prompt is the prompt's fault
seen in: an ordinary slip
task: 3.4
check: test_refused_ones_are_never_opened
"""


class Backend(Backend):
    async def open(self, checked):
        try:
            prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        except ApiError:
            raise
        except Exception as e:
            raise ApiError(400, str(e)) from e
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
