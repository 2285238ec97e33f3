"""One helper turns a request into a response; the handler only sends it."""

from chapters.ch01_http.wiring import attempt
from starlette.responses import JSONResponse

from chapters.core import GenerationRequest, generate, prepare

from .answers import answer_body, collect

NUMBER = 0


class BlockingAnswer:
    def __init__(self, core):
        self.core = core

    async def __call__(self, endpoint, checked):
        global NUMBER
        NUMBER += 1
        uid = f"{NUMBER:08d}"
        prompt, sampling = prepare(self.core, checked)
        replies = []
        for reply in generate(self.core, GenerationRequest(uid, prompt, sampling)):
            replies.append(reply)
        done = collect(replies, len(prompt))
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
        response = await attempt(self, receive)
        if response is not None:
            await response(scope, receive, send)
