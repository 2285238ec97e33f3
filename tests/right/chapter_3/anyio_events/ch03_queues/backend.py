"""anyio's threads and task groups; a thread that nobody waits for is abandoned."""

from contextlib import ExitStack

import anyio.to_thread
from starlette.responses import JSONResponse

from chapters.ch01_http import answers
from chapters.core import ApiError, Failure, GenerationRequest, Reply, prepare


class Backend:
    dead = None

    def __init__(self, core, registry, send):
        self.core, self.registry, self.send = core, registry, send

    async def open(self, checked):
        prompt, sampling = await anyio.to_thread.run_sync(
            prepare, self.core, checked, abandon_on_cancel=True
        )
        if self.dead is not None:
            raise ApiError(503, "out of service: " + self.dead)
        mailbox = self.registry.open()
        self.send(GenerationRequest(mailbox.uid, prompt, sampling))
        return mailbox, len(prompt)

    def release(self, mailbox):
        self.registry.close(mailbox.uid)

    def died(self, why):
        self.dead = why
        for mailbox in list(self.registry.live.values()):
            reply = Reply(mailbox.uid, error=Failure("server_error", why))
            self.registry.deliver(reply)


class WaitingAnswer:
    def __init__(self, backend):
        self.backend = backend

    async def __call__(self, endpoint, checked):
        with ExitStack() as stack:
            mailbox, count = await self.backend.open(checked)
            stack.callback(self.backend.release, mailbox)
            while not mailbox.finished:
                await mailbox.take()
            last = mailbox.replies[-1]
        if last.error:
            raise ApiError.of(last.error)
        done = answers.collect(mailbox.replies, count)
        name = self.backend.core.name
        return JSONResponse(answers.answer_body(endpoint, mailbox.uid, name, done), 200)
