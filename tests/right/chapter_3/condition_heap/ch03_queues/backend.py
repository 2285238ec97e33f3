"""Design: preparing races with the worker's death, so that `open` fails as soon as it is vain."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from starlette.responses import JSONResponse, Response

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch02_request_ids.registry import Registry
from chapters.ch03_queues.mailbox import Mailbox
from chapters.core import (
    Abort,
    ApiError,
    CheckedRequest,
    Core,
    Endpoint,
    Failure,
    GenerationRequest,
    Reply,
    prepare,
)


class Backend:
    def __init__(
        self, core: Core, registry: Registry, send: Callable[[GenerationRequest | Abort], None]
    ):
        self.core, self.registry, self.send = core, registry, send
        self.dead: str | None = None
        self._preparing: set[asyncio.Task] = set()

    async def open(self, checked: CheckedRequest) -> tuple[Mailbox, int]:
        work = asyncio.ensure_future(asyncio.to_thread(prepare, self.core, checked))
        self._preparing.add(work)
        try:
            await asyncio.wait([work])  # does not raise what `work` raises
        finally:
            self._preparing.discard(work)
            work.cancel()  # no effect if it is done
        if self.dead is not None:
            if not work.cancelled():
                work.exception()  # seen, so that asyncio does not complain
            raise ApiError(503, f"the worker has ended: {self.dead}")
        prompt, sampling = work.result()
        mailbox = self.registry.open()
        with contextlib.ExitStack() as undo:
            undo.callback(self.release, mailbox)
            self.send(GenerationRequest(mailbox.uid, prompt, sampling))
            undo.pop_all()
        return mailbox, len(prompt)

    def release(self, mailbox: Mailbox) -> None:
        self.registry.close(mailbox.uid)

    def died(self, why: str) -> None:
        self.dead = why
        for work in self._preparing:
            work.cancel()
        for mailbox in list(self.registry.live.values()):
            if not mailbox.finished:
                mailbox.apply(Reply(mailbox.uid, error=Failure("server_error", why)))


class WaitingAnswer:
    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        backend = self.backend
        mailbox, prompt_tokens = await backend.open(checked)
        with contextlib.ExitStack() as stack:
            stack.callback(backend.release, mailbox)
            replies = await mailbox.take()
            while not replies[-1].last:
                replies.extend(await mailbox.take())
            if error := replies[-1].error:
                raise ApiError.of(error)
            done = collect(replies, prompt_tokens)
            return JSONResponse(answer_body(endpoint, mailbox.uid, backend.core.name, done))
