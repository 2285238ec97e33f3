"""A thread of its own for each tokenising; a task group for the taking."""

import asyncio
import threading

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    def __init__(self, core, registry, send):
        self.core, self.registry, self.send = core, registry, send
        self.dead = None

    async def _prepared(self, checked):
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def put(method, value):
            if not future.done():
                getattr(future, method)(value)

        def work():
            try:
                call = ("set_result", prepare(self.core, checked))
            except Exception as error:
                call = ("set_exception", error)
            try:
                loop.call_soon_threadsafe(put, *call)
            except RuntimeError:
                pass

        threading.Thread(target=work, daemon=True).start()
        return await future

    async def open(self, checked):
        if self.dead is not None:
            raise ApiError(503, self.dead)
        prompt, sampling = await self._prepared(checked)
        if self.dead is not None:
            raise ApiError(503, self.dead)
        box = self.registry.open()
        self.send(GenerationRequest(box.uid, prompt, sampling))
        return box, len(prompt)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        for uid in tuple(self.registry.live):
            self.registry.deliver(Reply(uid, "", 0, None, Failure("server_error", why)))


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def __call__(self, endpoint, checked):
        box, count = await self.backend.open(checked)
        try:
            async with asyncio.TaskGroup() as group:
                task = group.create_task(self._whole(box))
        finally:
            self.backend.release(box)
        replies = task.result()
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        return JSONResponse(
            answer_body(endpoint, box.uid, self.backend.core.name, collect(replies, count))
        )

    async def _whole(self, box):
        replies = []
        while not any(reply.last for reply in replies):
            replies = [*replies, *(await box.take())]
        return replies
