"""Starts a thread for the tokenizer, and joins it.

misunderstood: what runs in a thread blocks nobody
seen in: vllm#10635, mended in a hurry
task: 3.4
check: test_tokenising_holds_nobody_up
"""

from concurrent.futures import ThreadPoolExecutor


class Backend(Backend):
    async def open(self, checked):
        with ThreadPoolExecutor(1) as pool:
            prompt, sampling = pool.submit(prepare, self.core, checked).result()
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
