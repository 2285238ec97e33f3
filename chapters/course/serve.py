"""Runs a chapter's server: the reference's, a wrong answer's, or the student's own."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable

import uvicorn

from chapters.core import ScriptedCore
from chapters.core.loading import ModelError, load
from chapters.core.trace import Traced
from chapters.course import graft
from chapters.course.manifest import Chapter, course, up_to
from chapters.course.paths import shown
from chapters.course.settings import Settings, UserError
from chapters.course.steps import BEGAN
from chapters.course.stubs import attempted
from chapters.course.wrong import find_wrong

KEEP_ALIVE = 75  # seconds; longer than usual clients keep an idle connection, so that they end it
GRACE = 3  # seconds between being asked to stop and stopping, whatever is still computing


def demo(settings: Settings, _: str | None = None) -> int:
    """The reference's server as of a chapter, the last one unless CHAPTER says otherwise, and the
    classroom page that shows it."""
    from chapters.classroom import main, shown  # which stand on this module

    chapter = _chapter(settings.chapter or max(course()))
    wrong = find_wrong(chapter, settings.wrong) if settings.wrong else None
    _check_pace(settings)
    if wrong:
        print(f"  wrong on purpose; the mistaken belief: {wrong.misunderstood}")
    choice = shown.Choice(
        chapter.number,
        wrong=wrong and wrong.name,
        wrong_of=wrong and chapter.number,
        model=settings.model,
        pace=settings.pace,
    )
    return main.show(settings, choice)


def chat(settings: Settings, _: str | None = None) -> int:
    """A conversation in the terminal with the server on PORT, or with one of its own."""
    from chapters.classroom import chat

    if settings.chapter:
        _chapter(settings.chapter)
    _check_pace(settings)
    return chat.main(settings)


def chapter(settings: Settings, number: str | None) -> int:
    """The student's own server as of chapter `number`, the rest filled in by the reference."""
    if number is None or not number.isdigit():
        raise UserError("Which chapter? For example: make serve-chapter-1.")
    last = _chapter(int(number))
    own, filled = [], []
    for earlier in up_to(last):
        for task in earlier.tasks:
            path = earlier.folder / task.file
            if not path.is_file():
                raise UserError(
                    f"There is no file {shown(path)}: `make reset-chapter-{earlier.number}` puts "
                    "the given one there."
                )
            (own if attempted(earlier, task, path) else filled).append(task.id)
    if filled:
        print(f"  not attempted yet, so the reference stands in: tasks {', '.join(filled)}")
    files = graft.references(last, own=own)
    return _serve(settings, last, files, f"your server as of chapter {last.number}")


def _chapter(number: int) -> Chapter:
    if number not in course():
        have = ", ".join(map(str, course()))
        raise UserError(f"There is no chapter {number} yet; there are: {have}.")
    return course()[number]


def _serve(settings: Settings, chapter: Chapter, files: dict, what: str) -> int:
    listener = listen(settings.port)
    try:
        core = _core(settings)
        graft.install(files)
        try:
            app = graft.build(chapter, core)
        except Exception as error:
            what = error if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
            raise UserError(f"The server could not be built: {what}.") from error
        port = listener.getsockname()[1]

        def ready() -> None:
            took = time.time() - float(os.environ.get(BEGAN, time.time()))
            print(f"\n  {what} is ready; it took {took:.1f} s")
            print(f"  model: {core.name}, {core.placed}")
            print(f"  http://localhost:{port}   Ctrl-C ends it. Ask it something:\n")
            print(f"{curl_line(port)}\n", flush=True)

        run(Traced(app), listener, ready)
    finally:
        listener.close()
    return 0


def _core(settings: Settings):
    if settings.model == "scripted":
        return ScriptedCore(tokens_per_second=settings.pace)
    _check_pace(settings)
    print("  loading the model …", flush=True)
    try:
        return load(settings.model)
    except ModelError as error:
        raise UserError(str(error)) from None


def _check_pace(settings: Settings) -> None:
    if settings.pace and settings.model != "scripted":
        raise UserError("PACE sets the speed of MODEL=scripted only; a real model has its own.")


def listen(port: int) -> socket.socket:
    """A socket that listens on 127.0.0.1. Raises UserError if the port is taken."""
    listener = socket.socket()
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise UserError(
            f"Port {port} cannot be used ({error.strerror}): another program may hold it. "
            f"End that program or take another port: PORT={port + 1 if port < 65535 else 0}."
        ) from None
    return listener


def curl_line(port: int) -> str:
    """A request to copy into a terminal."""
    body = (
        '{"messages": [{"role": "user", "content": "What is a token? Answer in one sentence."}],'
        ' "max_tokens": 60, "temperature": 0}'
    )
    return (
        f"  curl http://localhost:{port}/v1/chat/completions"
        f" -H 'Content-Type: application/json' -d '{body}'"
    )


def run(
    app,
    listener: socket.socket,
    ready: Callable[[], None],
    *,
    ending: Callable[[], None] = lambda: None,
    http="auto",
) -> None:
    """Serve until Ctrl-C or SIGTERM; calls `ready` once requests are answered.

    ending: called as soon as a signal asks for the end. http: uvicorn's, or a protocol class.
    """
    config = uvicorn.Config(
        app,
        http=http,
        log_level="warning",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_no_shutdown)
    # A full collection would look at all that a model's libraries hold, a quarter of a second
    # long, and nobody is served meanwhile: what is there now stays, and is not looked at again.
    gc.freeze()
    try:
        _Server(config, ready, ending).run(sockets=[listener])
    except KeyboardInterrupt:
        print("\n  ended")


def _is_no_shutdown(record: logging.LogRecord) -> bool:
    """False for the traceback of a request that was cancelled because the server ends."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class _Server(uvicorn.Server):
    """uvicorn's server, which tells when it is ready and ends even if the loop is blocked."""

    def __init__(self, config: uvicorn.Config, ready: Callable, ending: Callable):
        super().__init__(config)
        self.ready, self.ending = ready, ending

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()

    def handle_exit(self, sig, frame) -> None:
        super().handle_exit(sig, frame)
        self.ending()
        last_resort = threading.Timer(GRACE + 1, os._exit, [128 + sig])
        last_resort.daemon = True
        last_resort.start()
