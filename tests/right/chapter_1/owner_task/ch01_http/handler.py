"""One task owns the model; requests reach it through a queue."""

import asyncio
import itertools

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class BlockingAnswer:
    def __init__(self, core):
        self.core, self.numbers, self.owner = core, itertools.count(1), None

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        request = GenerationRequest(str(next(self.numbers)), prompt, sampling)
        if self.owner is None:
            self.queue = asyncio.Queue()
            self.owner = asyncio.create_task(self.work())
        answered = asyncio.get_running_loop().create_future()
        await self.queue.put((request, answered))
        done = await answered
        return JSONResponse(answer_body(endpoint, request.uid, self.core.name, done))

    async def work(self):
        while True:
            request, answered = await self.queue.get()
            try:
                answered.set_result(collect(generate(self.core, request), len(request.prompt)))
            except Exception as error:
                answered.set_exception(error)


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
