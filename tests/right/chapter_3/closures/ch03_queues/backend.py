"""Waits for the end of one inner coroutine; a done-callback releases."""

import asyncio

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    def __init__(self, core, registry, send):
        self.core, self.registry, self.send = core, registry, send
        self.reasons = []

    @property
    def dead(self):
        return self.reasons[0] if self.reasons else None

    async def open(self, checked):
        (prompt, sampling), *_ = await asyncio.gather(
            asyncio.to_thread(prepare, self.core, checked)
        )
        for reason in self.reasons:
            raise ApiError(503, reason)
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.reasons.append(why)
        lost = Failure("server_error", why)
        [self.registry.deliver(Reply(uid, error=lost)) for uid in dict(self.registry.live)]


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def _all(self, mailbox, so_far=()):
        replies = [*so_far, *await mailbox.take()]
        return replies if replies[-1].last else await self._all(mailbox, replies)

    async def __call__(self, endpoint, checked):
        mailbox, count = await self.backend.open(checked)
        waiting = asyncio.ensure_future(self._all(mailbox))
        try:
            *_, last = replies = await waiting
        except BaseException:
            waiting.cancel()
            raise
        finally:
            self.backend.release(mailbox)
        if last.error:
            raise ApiError.of(last.error)
        body = answer_body(endpoint, mailbox.uid, self.backend.core.name, collect(replies, count))
        return JSONResponse(body)
