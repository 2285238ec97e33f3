"""Design: an async context manager owns the time between `open` and `release`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.responses import JSONResponse, Response

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch02_request_ids.registry import Registry
from chapters.ch03_queues.mailbox import Listener, Mailbox
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
        self._check_alive()  # no need to tokenise for a dead worker
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        self._check_alive()  # it may have died meanwhile
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def _check_alive(self) -> None:
        if self.dead is not None:
            raise ApiError(503, f"no requests are computed any more: {self.dead}")

    def release(self, mailbox: Mailbox) -> None:
        self.registry.close(mailbox.uid)

    def died(self, why: str) -> None:
        self.dead = why
        failure = Failure("server_error", why)
        waiting = [uid for uid, mailbox in self.registry.live.items() if not mailbox.finished]
        # Through the listener: one mailbox that fails must not leave the others waiting.
        Listener(self.registry).deliver([Reply(uid, error=failure) for uid in waiting])


@asynccontextmanager
async def submitted(
    backend: Backend, checked: CheckedRequest
) -> AsyncIterator[tuple[Mailbox, int]]:
    """A request from its opening to its release."""
    mailbox, prompt_tokens = await backend.open(checked)
    try:
        yield mailbox, prompt_tokens
    finally:
        backend.release(mailbox)


class WaitingAnswer:
    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        async with submitted(self.backend, checked) as (mailbox, prompt_tokens):
            replies: list[Reply] = []
            while not (replies and replies[-1].last):
                replies += await mailbox.take()
            if replies[-1].error is not None:
                raise ApiError.of(replies[-1].error)
            done = collect(replies, prompt_tokens)
            return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
