"""Generates in a thread, one caller at a time: a lock that asyncio waits for."""

import asyncio
import json
import uuid

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class BlockingAnswer:
    def __init__(self, core):
        self.core = core
        self.turn = asyncio.Lock()

    def _work(self, uid, prompt, sampling):
        return collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))

    async def __call__(self, endpoint, checked):
        prompt, sampling = await asyncio.to_thread(prepare, self.core, checked)
        uid = uuid.uuid4().hex
        async with self.turn:
            done = await asyncio.to_thread(self._work, uid, prompt, sampling)
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))


class Handler:
    def __init__(self, endpoint, answer, served, *, streaming=False):
        self._endpoint = endpoint
        self._answer = answer
        self._parse = lambda body: parse_request(body, served, streaming=streaming)

    async def __call__(self, scope, receive, send):
        try:
            checked = self._parse(await read_body(receive))
            response = await self._answer(self._endpoint, checked)
        except ClientGone:
            pass
        except ApiError as error:
            await self._refuse(error, send)
        else:
            await response(scope, receive, send)

    async def _refuse(self, error, send):
        body = json.dumps(error.body()).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        start = {"type": "http.response.start", "status": error.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})
