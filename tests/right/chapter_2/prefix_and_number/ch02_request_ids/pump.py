"""A deque that keeps nothing drives the pump, in a thread of its own."""

import asyncio
from collections import deque
from contextlib import ExitStack

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import GenerationRequest, generate, prepare


def pump(pipe, registry):
    deque(map(registry.deliver, pipe), maxlen=0)


class RegisteredAnswer:
    def __init__(self, core, registry):
        self.core, self.registry = core, registry

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        with ExitStack() as stack:
            state = self.registry.open()
            stack.callback(self.registry.close, state.uid)
            request = GenerationRequest(state.uid, prompt, sampling)
            await asyncio.to_thread(pump, generate(self.core, request), self.registry)
        done = collect(state.replies, len(prompt))
        return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
