"""Pumps one reply at a time and lets the loop breathe after each; requests mix in the pipe."""

import asyncio
import contextlib

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import GenerationRequest, generate, prepare


def pump(pipe, registry):
    for reply in pipe:
        registry.deliver(reply)


class RegisteredAnswer:
    def __init__(self, core, registry):
        self.core = core
        self.registry = registry

    @contextlib.asynccontextmanager
    async def _open(self):
        state = self.registry.open()
        try:
            yield state
        finally:
            self.registry.close(state.uid)

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        async with self._open() as state:
            request = GenerationRequest(state.uid, prompt, sampling)
            with contextlib.closing(generate(self.core, request)) as pipe:
                for reply in pipe:
                    pump([reply], self.registry)
                    await asyncio.sleep(0)
            done = collect(state.replies, len(prompt))
            return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
