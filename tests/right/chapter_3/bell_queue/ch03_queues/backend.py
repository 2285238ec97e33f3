"""Design: opening in two halves, one that may wait and one that may not; then a match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import reduce
from operator import iadd

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
    Sampling,
    prepare,
)


class Backend:
    def __init__(
        self, core: Core, registry: Registry, send: Callable[[GenerationRequest | Abort], None]
    ):
        self.core, self.registry, self.send = core, registry, send
        self.dead: str | None = None

    async def open(self, checked: CheckedRequest) -> tuple[Mailbox, int]:
        prompt, sampling = await asyncio.to_thread(lambda: prepare(self.core, checked))
        return self._submit(prompt, sampling), len(prompt)

    def _submit(self, prompt: tuple[int, ...], sampling: Sampling) -> Mailbox:
        """Not async: between the look at `dead` and the sending nothing can happen."""
        if self.dead is not None:
            raise ApiError(503, self.dead)
        mailbox = self.registry.open()
        self.send(GenerationRequest(uid=mailbox.uid, prompt=prompt, sampling=sampling))
        return mailbox

    def release(self, mailbox: Mailbox) -> None:
        self.registry.close(mailbox.uid)

    def died(self, why: str) -> None:
        self.dead = why
        unanswered = filter(lambda mailbox: not mailbox.finished, [*self.registry.live.values()])
        for mailbox in unanswered:
            self.registry.deliver(Reply(mailbox.uid, error=Failure("server_error", why)))


class WaitingAnswer:
    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            batches = [await mailbox.take()]
            while not batches[-1][-1].last:
                batches.append(await mailbox.take())
        finally:
            self.backend.release(mailbox)
        replies: list[Reply] = reduce(iadd, batches, [])
        match replies[-1]:
            case Reply(error=Failure() as failure):
                raise ApiError.of(failure)
            case _:
                done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
