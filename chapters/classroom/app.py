"""The page's server: commands come in as JSON, messages go out as server-sent events."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from chapters.classroom.classroom import COMMANDS, Classroom
from chapters.classroom.guard import Guard
from chapters.classroom.record import PAGE, offline

FILE = {"content-disposition": 'attachment; filename="classroom.html"'}


def build(classroom: Classroom, port: int):
    """The page's server, an ASGI app, which listens on `port`."""
    answers = Answers(classroom)
    routes = [
        Route("/", answers.index),
        Route("/menus", answers.menus),
        Route("/events", answers.events),
        Route("/recording", answers.recording),
        Route("/export", answers.export),
        Route("/do", answers.do, methods=["POST"]),
        Mount("/", StaticFiles(directory=PAGE)),
    ]
    return Guard(Starlette(routes=routes, lifespan=answers.life), port)


class Answers:
    """What the page's server answers, path by path."""

    def __init__(self, classroom: Classroom):
        self.classroom, self.record = classroom, classroom.record

    @asynccontextmanager
    async def life(self, app):
        self.record.open()
        self.classroom.begin()
        yield
        await self.classroom.end()

    async def index(self, request: Request):
        return HTMLResponse((PAGE / "index.html").read_text("utf-8"))

    async def menus(self, request: Request):
        return JSONResponse(self.classroom.menus())

    async def events(self, request: Request):
        """The run so far, and then what happens, as it happens."""

        async def told():
            async for batch in self.record.batches():
                yield f"data: {json.dumps(batch)}\n\n"

        return StreamingResponse(told(), media_type="text/event-stream")

    async def recording(self, request: Request):
        return JSONResponse(self.record.messages)

    async def export(self, request: Request):
        return HTMLResponse(offline(self.record.messages), headers=FILE)

    async def do(self, request: Request):
        """A command: its name in `do`, and what it takes. 400 for what makes no sense."""
        try:
            command = json.loads(await request.body())
            name = command.pop("do")
            if name not in COMMANDS:
                raise ValueError(f"there is no command {name}")
            await getattr(self.classroom, name)(**command)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return JSONResponse({"why": f"{type(error).__name__}: {error}"}, 400)
        return JSONResponse({})
