"""Task 3.4: the HTTP side's view of the worker, and an answer that waits without blocking."""

from __future__ import annotations

import asyncio
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
    """Submits requests and gives their mailboxes out.

    registry: made with Mailbox, so that `registry.open()` returns one.
    send: puts a message into the worker's inbox; it does not wait. Nothing is asked for the case
        that it raises.
    dead: why no request can be computed any more; None while the worker lives.
    """

    def __init__(
        self, core: Core, registry: Registry, send: Callable[[GenerationRequest | Abort], None]
    ):
        self.core, self.registry, self.send = core, registry, send
        self.dead: str | None = None

    async def open(self, checked: CheckedRequest) -> tuple[Mailbox, int]:
        """Submit a request: its mailbox, and how many tokens its prompt has.

        `prepare(core, checked)` returns (prompt ids, sampling) and may take long: it runs in a
        thread, such as `asyncio.to_thread` gives. Then the mailbox is opened, and a
        `GenerationRequest` with its uid is sent, however many are open already. A request that
        `prepare` refuses (ApiError), or that is cancelled meanwhile because its client left, is
        neither opened nor sent. What else `prepare` raises is no fault of the client's, and
        passes through.
        Raises ApiError 503, saying why, if the worker is dead by then: nothing is opened. If
        the worker is dead and the request is refused as well, either error will do.
        """
        # BEGIN SOLUTION
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        if self.dead is not None:
            raise ApiError(503, f"the worker is dead: {self.dead}")
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)
        # END SOLUTION

    def release(self, mailbox: Mailbox) -> None:
        """Whoever opened it is done with it: forget the request."""
        # BEGIN SOLUTION
        self.registry.close(mailbox.uid)
        # END SOLUTION

    def died(self, why: str) -> None:
        """The worker has ended for good. Called once, on the loop.

        Every open request gets a last reply at once, with `Failure("server_error", why)`, unless
        it has had one already; later ones are refused by `open`.
        """
        # BEGIN SOLUTION
        self.dead = why
        for uid in list(self.registry.live):
            self.registry.deliver(Reply(uid, error=Failure("server_error", why)))
        # END SOLUTION


class WaitingAnswer:
    """Answers a checked request when the worker is through with it; others go on meanwhile."""

    def __init__(self, backend: Backend):
        self.backend = backend

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        """The whole answer, as a JSONResponse; its id is made from the mailbox's uid.

        Takes from the mailbox until the last reply, however long that takes. If that one carries
        an error, raises `ApiError.of(error)`. However this ends, also by cancellation, the mailbox
        is released.
        """
        # BEGIN SOLUTION
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            replies = await mailbox.take()
            while not replies[-1].last:
                replies += await mailbox.take()
        finally:
            self.backend.release(mailbox)
        if replies[-1].error:
            raise ApiError.of(replies[-1].error)
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
        # END SOLUTION
