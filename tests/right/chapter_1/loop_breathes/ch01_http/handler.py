"""On the loop, and yet others are served: a pause after each token, and a turnstile before them.

A request that waits is a future in a deque; who is done wakes the next.
"""

import asyncio
import uuid
from collections import deque
from contextlib import asynccontextmanager, suppress

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class _Turnstile:
    def __init__(self):
        self.taken, self.queue = False, deque()

    @asynccontextmanager
    async def passed(self):
        while self.taken:
            turn = asyncio.get_running_loop().create_future()
            self.queue.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.wake()
                raise
        self.taken = True
        try:
            yield
        finally:
            self.taken = False
            self.wake()

    def wake(self):
        while self.queue:
            turn = self.queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return


class BlockingAnswer:
    def __init__(self, core):
        self.core = core
        self.turnstile = _Turnstile()

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(uuid.uuid4())
        async with self.turnstile.passed():
            replies = []
            for reply in generate(self.core, GenerationRequest(uid, prompt, sampling)):
                replies.append(reply)
                await asyncio.sleep(0)
        done = collect(replies, len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))


class Handler:
    def __init__(self, endpoint, answer, served, *, streaming=False):
        self.endpoint, self.answer, self.served = endpoint, answer, served
        self.streaming = streaming

    async def __call__(self, scope, receive, send):
        with suppress(ClientGone):
            try:
                body = await read_body(receive)
                checked = parse_request(body, self.served, streaming=self.streaming)
                response = await self.answer(self.endpoint, checked)
            except ApiError as error:
                response = JSONResponse(error.body(), error.status)
            await response(scope, receive, send)
