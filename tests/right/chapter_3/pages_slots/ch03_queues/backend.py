"""Design: anyio's worker threads; the answer asks the mailbox itself whether it is finished."""

from __future__ import annotations

from collections.abc import Callable

import anyio.to_thread
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
    __slots__ = ("core", "dead", "registry", "send")

    def __init__(
        self, core: Core, registry: Registry, send: Callable[[GenerationRequest | Abort], None]
    ):
        self.core, self.registry, self.send = core, registry, send
        self.dead: str | None = None

    async def open(self, checked: CheckedRequest) -> tuple[Mailbox, int]:
        prompt, sampling = await anyio.to_thread.run_sync(
            prepare, self.core, checked, abandon_on_cancel=True
        )
        if self.dead is not None:
            raise ApiError(503, f"the model's worker has died ({self.dead})")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def release(self, mailbox: Mailbox) -> None:
        self.registry.close(mailbox.uid)

    def died(self, why: str) -> None:
        self.dead = why
        for uid, mailbox in tuple(self.registry.live.items()):
            if not mailbox.finished:
                self.registry.deliver(Reply(uid, error=Failure("server_error", why)))


class WaitingAnswer:
    __slots__ = ("backend",)

    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            while not mailbox.finished:
                await mailbox.take()
            # Chapter 2's state keeps every reply, taken or not.
            *_, last = replies = mailbox.replies
            if last.error is not None:
                raise ApiError.of(last.error)
            body = answer_body(
                endpoint, mailbox.uid, self.backend.core.name, collect(replies, prompt_tokens)
            )
            return JSONResponse(body)
        finally:
            self.backend.release(mailbox)
