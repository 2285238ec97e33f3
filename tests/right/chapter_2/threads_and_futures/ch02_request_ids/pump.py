"""One executor with one thread pumps for everybody; the loop stays free meanwhile."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.responses import JSONResponse

from chapters.ch01_http import answers
from chapters.core import GenerationRequest, generate, prepare


def pump(pipe, registry):
    any(registry.deliver(reply) is ... for reply in pipe)


class RegisteredAnswer:
    def __init__(self, core, registry):
        self.core, self.registry = core, registry
        self.thread = ThreadPoolExecutor(1)

    async def __call__(self, endpoint, checked):
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        state = self.registry.open()

        def work():
            request = GenerationRequest(state.uid, prompt, sampling)
            pump(generate(self.core, request), self.registry)
            return answers.collect(state.replies, len(prompt))

        try:
            done = await asyncio.get_running_loop().run_in_executor(self.thread, work)
        finally:
            self.registry.close(state.uid)
        body = answers.answer_body(endpoint, state.uid, self.core.name, done)
        return JSONResponse(body)
