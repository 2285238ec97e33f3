"""A thread pool of its own for the tokenizer, and an asynchronous generator of replies."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    def __init__(self, core, registry, send):
        self.core = core
        self.registry = registry
        self.send = send
        self.dead = None
        self.pool = ThreadPoolExecutor(2, "tokenizer")

    async def open(self, checked):
        work = self.pool.submit(prepare, self.core, checked)
        prompt, sampling = await asyncio.wrap_future(work)
        self._refuse_if_dead()
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def _refuse_if_dead(self):
        if self.dead:
            raise ApiError(503, f"no worker: {self.dead}", code="dead")

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        failure = Failure("server_error", f"the worker died: {why}")
        for uid in [*self.registry.live]:
            self.registry.deliver(Reply(uid, "", 0, None, failure))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def _replies(self, mailbox):
        try:
            while True:
                for reply in await mailbox.take():
                    if reply.error:
                        raise ApiError.of(reply.error)
                    yield reply
                    if reply.last:
                        return
        finally:
            self.backend.release(mailbox)

    async def __call__(self, endpoint, checked):
        mailbox, size = await self.backend.open(checked)
        async with aclosing(self._replies(mailbox)) as replies:
            done = collect([reply async for reply in replies], size)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
