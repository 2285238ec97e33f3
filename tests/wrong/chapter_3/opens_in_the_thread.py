"""Does all of it in the thread, which nobody can cancel.

misunderstood: cancelling a task ends the thread it waits for
seen in: an ordinary slip
task: 3.4
check: test_a_client_that_leaves_during_tokenising
"""


class Backend(Backend):
    def open_now(self, checked):
        prompt, sampling = prepare(self.core, checked)
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    async def open(self, checked):
        return await asyncio.to_thread(self.open_now, checked)
