"""One thread owns the model; requests reach it through a queue."""

import asyncio
import itertools
import queue
import threading

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class BlockingAnswer:
    def __init__(self, core):
        self.core, self.numbers, self.jobs = core, itertools.count(1), queue.Queue()
        threading.Thread(target=self.work, daemon=DAEMON).start()

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        request = GenerationRequest(str(next(self.numbers)), prompt, sampling)
        loop = asyncio.get_running_loop()
        answered = loop.create_future()
        self.jobs.put((request, answered, loop))
        return JSONResponse(answer_body(endpoint, request.uid, self.core.name, await answered))

    def work(self):
        while True:
            request, answered, loop = self.jobs.get()
            try:
                done = collect(generate(self.core, request), len(request.prompt))
                loop.call_soon_threadsafe(answered.set_result, done)
            except Exception as error:
                loop.call_soon_threadsafe(answered.set_exception, error)


class Handler:
    def __init__(self, endpoint, answer, served, *, streaming=False):
        self.endpoint, self.answer, self.served, self.streaming = (
            endpoint,
            answer,
            served,
            streaming,
        )

    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(scope, receive, send)


DAEMON = False
