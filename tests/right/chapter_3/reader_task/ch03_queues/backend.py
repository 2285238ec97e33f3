"""A task tokenises; the answer waits in a loop of `async for` over an iterator class."""

import asyncio

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Arriving:
    def __init__(self, mailbox):
        self.mailbox, self.over = mailbox, False

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.over:
            raise StopAsyncIteration
        replies = await self.mailbox.take()
        self.over = any(reply.last for reply in replies)
        return replies


class Backend:
    def __init__(self, core, registry, send):
        self.core, self.registry, self.send, self.dead = core, registry, send, None

    async def open(self, checked):
        prepared = asyncio.create_task(asyncio.to_thread(prepare, self.core, checked))
        prompt, sampling = await prepared
        if self.dead is not None:
            raise ApiError(status=503, message=f"{self.dead} (the worker has ended)")
        mailbox = self.registry.open()
        try:
            self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        except BaseException:
            self.release(mailbox)
            raise
        return mailbox, len(prompt)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        waiting = [uid for uid, state in self.registry.live.items() if not state.finished]
        while waiting:
            self.registry.deliver(Reply(waiting.pop(), error=Failure("server_error", why)))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def __call__(self, endpoint, checked):
        mailbox, count = await self.backend.open(checked)
        try:
            everything = [reply async for some in Arriving(mailbox) for reply in some]
        finally:
            self.backend.release(mailbox)
        error = everything[-1].error
        if error:
            raise ApiError.of(error)
        done = collect(everything, count)
        return JSONResponse(
            status_code=200,
            content=answer_body(endpoint, mailbox.uid, self.backend.core.name, done),
        )
