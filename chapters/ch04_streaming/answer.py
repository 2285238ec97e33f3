"""The answer that streams when it is asked to, and else waits as before. Given.

The response's headers leave with the first reply: if that is an error, the client gets a proper
status. From then on an error can only be an event.
"""

from __future__ import annotations

from chapters.ch03_queues.backend import Backend, WaitingAnswer
from chapters.ch04_streaming.chunks import Chunks
from chapters.ch04_streaming.events import closing, of_reply, opening
from chapters.core import ApiError, CheckedRequest, Endpoint, Reply

HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]


class StreamingAnswer:
    """Answers a checked request with an `EventStream` or with the whole JSON."""

    def __init__(self, backend: Backend):
        self.backend, self.whole = backend, WaitingAnswer(backend)

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest):
        if not checked.stream:
            return await self.whole(endpoint, checked)
        mailbox, prompt_tokens = await self.backend.open(checked)
        try:
            first = await mailbox.take()
            if first[0].error:
                raise ApiError.of(first[0].error)
        except BaseException:
            self.backend.release(mailbox)
            raise
        name = self.backend.core.name
        chunks = Chunks(endpoint, mailbox.uid, name, checked, prompt_tokens)
        return EventStream(self.backend, mailbox, chunks, first)


class EventStream:
    """A response, as an ASGI app: the replies of one mailbox, as they come.

    All replies that came since the last write leave in one write; each keeps its own event.
    """

    def __init__(self, backend: Backend, mailbox, chunks: Chunks, first: list[Reply]):
        self.backend, self.mailbox, self.chunks, self.first = backend, mailbox, chunks, first

    async def __call__(self, scope, receive, send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            replies, body = self.first, opening(self.chunks)
            while not replies[-1].last:
                body += b"".join([of_reply(self.chunks, reply) for reply in replies])
                if body:
                    await send({"type": "http.response.body", "body": body, "more_body": True})
                replies, body = await self.mailbox.take(), b""
            body += b"".join([of_reply(self.chunks, reply) for reply in replies])
            body += closing(self.chunks, replies[-1])
            await send({"type": "http.response.body", "body": body})
        finally:
            self.backend.release(self.mailbox)
