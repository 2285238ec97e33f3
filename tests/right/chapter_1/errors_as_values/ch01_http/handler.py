"""There is always a response: to a client that has left it is one that sends nothing."""

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class BlockingAnswer:
    def __init__(self, core):
        self.core = core
        self.uids = map(str, range(10**9))

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        request = GenerationRequest(uid=next(self.uids), prompt=prompt, sampling=sampling)
        done = collect(generate(self.core, request), prompt_tokens=len(prompt))
        return JSONResponse(answer_body(endpoint, request.uid, self.core.name, done))


async def _nobody(scope, receive, send):
    """The response to a client that has left."""


def _refusal(error):
    return JSONResponse(error.body(), status_code=error.status)


class Handler:
    def __init__(self, endpoint, answer, served, *, streaming=False):
        async def respond(receive):
            body = await read_body(receive)
            return await answer(endpoint, parse_request(body, served, streaming=streaming))

        self._respond = respond

    async def __call__(self, scope, receive, send):
        response = await self._outcome(receive)
        await response(scope, receive, send)

    async def _outcome(self, receive):
        try:
            return await self._respond(receive)
        except (ApiError, ClientGone) as error:
            return _nobody if isinstance(error, ClientGone) else _refusal(error)
