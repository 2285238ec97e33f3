"""`make demo`: the shown server and the page, in two processes; this one is the page's."""

from __future__ import annotations

import os
import time

from chapters.classroom.app import build
from chapters.classroom.classroom import Classroom
from chapters.classroom.record import Record
from chapters.classroom.shown import Choice, Shown
from chapters.course import serve
from chapters.course.settings import Settings, UserError
from chapters.course.steps import BEGAN

PAGE_PORT = 1920


def show(settings: Settings, choice: Choice) -> int:
    """Start both; returns when a signal ends them. Raises UserError if one cannot start."""
    page = _listen(settings.page_port)
    record = Record()
    shown = Shown(record, choice, settings.port)
    if choice.model != "scripted":
        print("  loading the model …", flush=True)
    try:
        shown.start()
        models = list(dict.fromkeys([choice.model, "scripted", None]))
        classroom = Classroom(record, shown, models)
        port = page.getsockname()[1]
        app = build(classroom, port)
        serve.run(app, page, lambda: _say(shown, port), ending=record.close)
    finally:
        page.close()
        shown.stop()
    return 0


def _listen(port: int | None):
    """The page's socket. Where nobody has named a port and the usual one is taken: any other."""
    try:
        return serve.listen(PAGE_PORT if port is None else port)
    except UserError as error:
        sentence = str(error).partition(" End that program")[0]
        if port is not None:
            raise UserError(f"The page: {sentence} Take another one: PAGE_PORT=0.") from None
        print(f"  The page: {sentence} It takes a free one.")
        return serve.listen(0)


def _say(shown: Shown, page: int) -> None:
    server, chapter = shown.server, shown.choice.chapter
    took = time.time() - float(os.environ.get(BEGAN, time.time()))
    print(f"\n  chapter {chapter}'s reference server is ready; it took {took:.1f} s")
    print(f"  model: {server.model_name}, {server.placed}")
    print(f"  http://localhost:{shown.port}   Ctrl-C ends it")
    print(f"  http://localhost:{page}   the page for a class\n\n  Ask it something:\n")
    print(f"{serve.curl_line(shown.port)}\n", flush=True)
