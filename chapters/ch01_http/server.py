"""Chapter 1's server: two endpoints, one handler each, run on the event loop. Given.

Later chapters call `make_app` with another answer, and put layers around it.
"""

from __future__ import annotations

import time

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from chapters.ch01_http.handler import BlockingAnswer, Handler
from chapters.core import CHAT, TEXT, Answer, ApiError, Core


async def alive(request):
    """/health, while there is nothing else to know than that the event loop runs."""
    return JSONResponse({"status": "ok"})


async def http_error(request, error: HTTPException):
    """Unknown paths and wrong methods, in the same shape as all other errors."""
    headers = error.headers or {}
    where = f"{request.method} {request.url.path}"
    message = {
        404: f"{where}: there is no such path; the endpoints are {CHAT.path} and {TEXT.path}",
        405: f"{where}: this path takes {headers.get('Allow')}",
    }.get(error.status_code, error.detail)
    return JSONResponse(ApiError(error.status_code, message).body(), error.status_code, headers)


async def bug(request, error: Exception):
    """What nobody foresaw. The client is told that it is not to blame; the log tells the rest."""
    return JSONResponse(ApiError(500, "internal error; the server's log says more").body(), 500)


def model_routes(name: str) -> list[Route]:
    """/v1/models and /v1/models/NAME: the one model there is."""
    card = {"id": name, "object": "model", "created": int(time.time()), "owned_by": "local"}

    async def models(request):
        return JSONResponse({"object": "list", "data": [card]})

    async def model(request):
        asked = request.path_params["name"]
        if asked == name:
            return JSONResponse(card)
        error = ApiError(404, f"model: {asked!r} is not served here; {name!r} is", "model")
        return JSONResponse(error.body(), 404)

    return [Route("/v1/models", models), Route("/v1/models/{name:path}", model)]


def make_app(
    core: Core,
    answer: Answer,
    *,
    streaming: bool = False,
    around=lambda handler: handler,
    health=alive,
    routes=(),
    lifespan=None,
) -> Starlette:
    """The HTTP side of every chapter.

    answer: turns a checked request into a response; streaming: whether it can stream.
    around: a layer put around both handlers; health: answers /health; routes: further ones.
    """
    handlers = [(e.path, Handler(e, answer, core.name, streaming=streaming)) for e in (CHAT, TEXT)]
    handled = [Route(path, around(handler), methods=["POST"]) for path, handler in handlers]
    return Starlette(
        routes=[*handled, Route("/health", health), *model_routes(core.name), *routes],
        exception_handlers={HTTPException: http_error, Exception: bug},
        lifespan=lifespan,
    )


def build(core: Core):
    """The server as of this chapter, an ASGI app."""
    return make_app(core, BlockingAnswer(core))
