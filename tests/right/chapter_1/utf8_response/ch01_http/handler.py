import itertools
import json

from starlette.responses import JSONResponse as Plain

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class JSONResponse(Plain):
    """Readable in a terminal, and says so (RFC 8259 needs no charset and forbids none)."""

    media_type = "application/json; charset=utf-8"


class BlockingAnswer:
    def __init__(self, core):
        self.core, self.numbers = core, itertools.count(1)

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        done = collect(generate(self.core, GenerationRequest(uid, prompt, sampling)), len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))


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
