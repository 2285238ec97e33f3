"""An asynchronous context manager opens and releases."""

import asyncio
from contextlib import asynccontextmanager

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    def __init__(self, core, registry, send):
        self.core, self.registry, self.send = core, registry, send
        self.dead = None

    async def open(self, checked):
        loop = asyncio.get_running_loop()
        ids, sampling = await loop.run_in_executor(None, prepare, self.core, checked)
        if self.dead is None:
            box = self.registry.open()
            self.send(GenerationRequest(uid=box.uid, prompt=tuple(ids), sampling=sampling))
            return box, len(ids)
        raise ApiError(503, self.dead)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        for uid, box in tuple(self.registry.live.items()):
            if not box.finished:
                self.registry.deliver(Reply(uid, error=Failure("server_error", why)))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    @asynccontextmanager
    async def _opened(self, checked):
        box, count = await self.backend.open(checked)
        try:
            yield box, count
        finally:
            self.backend.release(box)

    async def __call__(self, endpoint, checked):
        replies = []
        async with self._opened(checked) as (box, count):
            while not (replies and replies[-1].last):
                replies.extend(await box.take())
        if replies[-1].error is not None:
            raise ApiError.of(replies[-1].error)
        body = answer_body(endpoint, box.uid, self.backend.core.name, collect(replies, count))
        return JSONResponse(body)
