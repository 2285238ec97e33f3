"""Tokenising is a task of its own, which is cancelled with `open`; then a match."""

import asyncio
from contextlib import AsyncExitStack

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    dead = None

    def __init__(self, core, registry, send):
        self.core = core
        self.registry = registry
        self.send = send

    async def open(self, checked):
        task = asyncio.create_task(asyncio.to_thread(prepare, self.core, checked))
        prompt, sampling = await task
        if self.dead is None:
            mailbox = self.registry.open()
            self.send(GenerationRequest(mailbox.uid, prompt, sampling))
            return mailbox, len(prompt)
        raise ApiError(503, f"the worker has died ({self.dead}); try another server")

    def release(self, mailbox):
        if mailbox.uid in self.registry.live:
            self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        for mailbox in list(self.registry.live.values()):
            if not mailbox.finished:
                text = f"the worker died: {why}"
                self.registry.deliver(Reply(mailbox.uid, error=Failure("server_error", text)))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def __call__(self, endpoint, checked):
        async with AsyncExitStack() as stack:
            mailbox, count = await self.backend.open(checked)
            stack.callback(self.backend.release, mailbox)
            replies = []
            while True:
                match await mailbox.take():
                    case [*some] if some and some[-1].last:
                        replies += some
                        break
                    case some:
                        replies += some
        if error := replies[-1].error:
            raise ApiError.of(error)
        done = collect(iter(replies), count)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
