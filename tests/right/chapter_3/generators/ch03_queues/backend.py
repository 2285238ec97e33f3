"""A pool with one thread for the tokenizer; a dead worker is an event; a future per answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    def __init__(self, core, registry, send):
        self.core, self.registry, self.send = core, registry, send
        self.dead = None
        self.pool = ThreadPoolExecutor(1, "tokenizer")

    async def open(self, checked):
        work = self.pool.submit(prepare, self.core, checked)
        prompt, sampling = await asyncio.wrap_future(work)
        if self.dead is not None:
            raise ApiError(503, f"no worker: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        reply = {"error": Failure("server_error", why)}
        open_ones = [box for box in self.registry.live.values() if not box.finished]
        for box in open_ones:
            box.apply(Reply(box.uid, **reply))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def __call__(self, endpoint, checked):
        box, count = await self.backend.open(checked)
        try:
            while not box.finished:
                await box.take()
        except asyncio.CancelledError:
            self.backend.release(box)
            raise
        self.backend.release(box)
        if box.replies[-1].error:
            raise ApiError.of(box.replies[-1].error)
        body = answer_body(endpoint, box.uid, self.backend.core.name, collect(box.replies, count))
        return JSONResponse(body)
