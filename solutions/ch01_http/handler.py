"""Task 1.4: the handler. Read, check, generate, answer; or say what was wrong.

This is where HTTP meets the model. It generates on the event loop, so nothing else is served
meanwhile: chapter 3 mends that.
"""

from __future__ import annotations

import itertools

from starlette.responses import JSONResponse, Response

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import (
    Answer,
    ApiError,
    CheckedRequest,
    ClientGone,
    Core,
    Endpoint,
    GenerationRequest,
    generate,
    prepare,
)


class BlockingAnswer:
    """Answers a checked request by generating all of it, on the event loop, there and then."""

    def __init__(self, core: Core):
        self.core = core
        self.numbers = itertools.count(1)

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        """The whole answer, as a JSONResponse.

        `prepare(core, checked)` (given) returns (prompt ids, sampling), or raises ApiError if
        the prompt leaves no room. `generate(core, request)` (given) yields the replies of a
        `GenerationRequest(uid, prompt, sampling)`. As uid, the next of `self.numbers` will do,
        as a string: no two answers share it. At most one generation may be under way at a time;
        who comes meanwhile waits.
        """
        # BEGIN SOLUTION
        prompt, sampling = prepare(self.core, checked)
        uid = str(next(self.numbers))
        replies = generate(self.core, GenerationRequest(uid, prompt, sampling))
        done = collect(replies, len(prompt))
        return JSONResponse(answer_body(endpoint, uid, self.core.name, done))
        # END SOLUTION


class Handler:
    """One endpoint, as an ASGI app: `answer` decides how a checked request is answered."""

    def __init__(self, endpoint: Endpoint, answer: Answer, served: str, *, streaming: bool = False):
        self.endpoint, self.answer, self.served = endpoint, answer, served
        self.streaming = streaming

    async def __call__(self, scope, receive, send) -> None:
        """Serve one request.

        Read the body, parse it, call `await self.answer(self.endpoint, checked)` and send the
        response that it returns: a Starlette response is itself an ASGI app, called with
        (scope, receive, send).

        An ApiError from any of these becomes a JSONResponse of its `body()` with its `status`.
        ClientGone from any of these: nothing is sent, and nothing is raised. Other exceptions
        pass through, the model's too: the server around this answers 500. Several requests may
        be under way in one handler: what belongs to one of them is no attribute of `self`.
        """
        # BEGIN SOLUTION
        try:
            body = await read_body(receive)
            checked = parse_request(body, self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(scope, receive, send)
        # END SOLUTION
