"""Design: `loop.run_in_executor` with a copied context; an async generator yields the replies."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable

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

    async def open(self, checked: CheckedRequest) -> tuple[Mailbox, int]:
        inside = contextvars.copy_context().run  # what asyncio.to_thread does
        prompt, sampling = await asyncio.get_running_loop().run_in_executor(
            None, inside, prepare, self.core, checked
        )
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        try:
            self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        except BaseException:
            self.release(mailbox)
            raise
        return mailbox, len(prompt)

    def release(self, mailbox: Mailbox) -> None:
        self.registry.close(mailbox.uid)

    def died(self, why: str) -> None:
        self.dead = why
        for uid, mailbox in list(self.registry.live.items()):
            if not mailbox.finished:
                self.registry.deliver(Reply(uid, error=Failure("server_error", why)))


async def until_last(mailbox: Mailbox) -> AsyncIterator[Reply]:
    """The replies of a request one by one; an error is raised as ApiError."""
    while True:
        for reply in await mailbox.take():
            if reply.error is not None:
                raise ApiError.of(reply.error)
            yield reply
            if reply.last:
                return


class WaitingAnswer:
    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = [reply async for reply in until_last(mailbox)]
            done = collect(replies, prompt_tokens)
            model = self.backend.core.name
            return JSONResponse(answer_body(endpoint, mailbox.uid, model, done))
        finally:
            self.backend.release(mailbox)
