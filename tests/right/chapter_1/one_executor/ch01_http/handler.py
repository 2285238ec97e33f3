"""An executor with one thread owns the model; the loop stays free."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chapters.ch01_http import answers, body, requests
from chapters.core import ApiError, ClientGone, GenerationRequest, generate, prepare


class BlockingAnswer:
    def __init__(self, core):
        self.core, self.served = core, 0
        self.pool = ThreadPoolExecutor(1)

    async def __call__(self, endpoint, checked) -> Response:
        prompt, sampling = prepare(self.core, checked)
        self.served += 1
        request = GenerationRequest(f"n{self.served}", prompt, sampling)

        def work():
            return answers.collect(generate(self.core, request), len(prompt))

        done = await asyncio.get_running_loop().run_in_executor(self.pool, work)
        return JSONResponse(answers.answer_body(endpoint, request.uid, self.core.name, done))


class Handler:
    def __init__(self, endpoint, answer, served, *, streaming=False):
        self.options = endpoint, answer, served, streaming

    async def __call__(self, scope, receive, send):
        endpoint, answer, served, streaming = self.options
        try:
            raw = await body.read_body(Request(scope, receive).receive)
            response = await answer(
                endpoint, requests.parse_request(raw, served, streaming=streaming)
            )
        except ApiError as error:
            response = JSONResponse(content=error.body(), status_code=error.status)
        except ClientGone:
            return None
        return await response(scope, receive, send)
