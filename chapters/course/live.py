"""A chapter's server in a process of its own, which tells what happens in it.

For lessons and the classroom page: they are clients of it, over HTTP as everybody is, and see
its trace, event by event, while it goes on. It may block, crash or be ended; they live on.

    with LiveServer(chapter=3, gated=True) as server:
        ...                               # ask server.url, from threads
        server.watch.wait_for("prefill")
        server.allow(5)                   # the gated core may make five passes

The two talk through pipes, a JSON object a line. In: `{"allow": n}`, `{"open": true}`. Out: first
`{"ready": …}` or `{"error": …}`, then `{"event": […]}`. When the one who started it goes, its
standard input ends, and so does it.

To the events of `chapters.core.trace` it adds these: `loop blocked` and `loop free`; `closed`,
when a connection has ended, with the client's port; and the text of each token.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from chapters.core import Core, ScriptedCore
from chapters.core.loading import ModelError, load
from chapters.core.trace import Event, Traced, Watch, hearing, record
from chapters.course import graft, serve
from chapters.course.grade import chosen, grade_task
from chapters.course.manifest import Chapter, course
from chapters.course.paths import ROOT
from chapters.course.settings import UserError
from chapters.course.stubs import attempted
from chapters.course.wrong import find_wrong

PATIENCE = 2  # seconds a server has to end by itself
BEAT = 0.05  # seconds without a sign of life after which an event loop counts as blocked


def passing(chapter: Chapter) -> list[str]:
    """The ids of the chapter's tasks whose file in `chapters/` gets full marks. Takes seconds."""
    own = {task.id: graft.Implementation(chapter.folder / task.file) for task in chapter.tasks}
    files = graft.references(chapter)
    return [
        task.id
        for task in chapter.tasks[:-1]
        if attempted(chapter, task, own[task.id].path)
        and grade_task(chapter, task, own, files).status == "passed"
    ]


class LiveServer:
    """A running server; leave the `with` block, or call `stop`, to end it.

    chapter: the server as of this chapter.
    mine: task ids whose file is the student's own; all others are the reference's.
    wrong: the name of a wrong answer of that chapter to swap in; of an earlier one, if `wrong_of`
        says which.
    model: "scripted", a local folder, a hub id, or None: the embedded model.
    gated: each forward pass of the scripted core waits for `allow` or `open`.
    pace: tokens a second of the scripted core; None: full speed.
    threads: how many threads PyTorch computes with; None: its own choice.
    port: where to listen; 0: any free one.
    hear: called with each event, in a thread of its own, beside `watch`, which keeps them.

    Raises UserError if the server could not be started, with the reason.
    """

    def __init__(
        self,
        chapter: int,
        *,
        mine: Sequence[str] = (),
        wrong: str | None = None,
        wrong_of: int | None = None,
        model: str | None = "scripted",
        gated: bool = False,
        pace: float | None = None,
        threads: int | None = None,
        port: int = 0,
        hear: Callable[[Event], None] = lambda event: None,
    ):
        self.chapter, self.mine, self.wrong = chapter, tuple(mine), wrong
        self.watch, self.hear = Watch(), hear
        self.said: deque[str] = deque(maxlen=40)  # the last lines of its standard error
        self.ended: int | None = None
        wanted = {
            "chapter": chapter,
            "mine": list(mine),
            "wrong": wrong,
            "wrong_of": wrong_of or chapter,
            "model": model,
            "gated": gated,
            "pace": pace,
            "threads": threads,
            "port": port,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chapters.course.live", json.dumps(wanted)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C and a notebook's "interrupt" are not for it
        )
        self._errors = threading.Thread(target=self._keep_errors, daemon=True)
        self._errors.start()
        try:
            first = json.loads(self.process.stdout.readline() or '{"error": "it ended at once"}')
        except BaseException:  # whoever waits for it is interrupted
            self.process.kill()
            raise
        if "error" in first:
            self.stop()
            raise UserError("\n".join([first["error"], *self.said]))
        self.port, self.model_name = first["ready"]["port"], first["ready"]["model"]
        self.placed = first["ready"]["placed"]
        self.url = f"http://127.0.0.1:{self.port}"
        self._events = threading.Thread(target=self._keep_events, daemon=True)
        self._events.start()

    def __enter__(self) -> LiveServer:
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    @property
    def whose(self) -> str:
        """What runs, in words: for captions."""
        if self.wrong:
            return f"chapter {self.chapter}, wrong on purpose: {self.wrong}"
        if not self.mine:
            return f"chapter {self.chapter}, the reference's"
        return f"chapter {self.chapter}, tasks {', '.join(self.mine)} yours, the rest reference"

    def allow(self, passes: int = 1) -> None:
        """Let this many forward passes of a gated core end."""
        self._tell({"allow": passes})

    def open(self) -> None:
        """Let every pass of a gated core end, now and from now on."""
        self._tell({"open": True})

    def stop(self) -> None:
        """End the server; returns when it has ended. May be called twice."""
        with contextlib.suppress(OSError):  # it has ended already
            self.process.stdin.close()
        try:
            self.ended = self.process.wait(PATIENCE + 1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.ended = self.process.wait()
        self._errors.join()
        if hasattr(self, "_events"):
            self._events.join()

    def _tell(self, command: dict) -> None:
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def _keep_events(self) -> None:
        for line in self.process.stdout:
            event = Event(*json.loads(line)["event"])
            self.watch.add(event)
            self.hear(event)

    def _keep_errors(self) -> None:
        self.said.extend(line.rstrip() for line in self.process.stderr)


def main(wanted: dict) -> None:
    """The process of a `LiveServer`."""
    out, sys.stdout = sys.stdout, sys.stderr  # what a student's file prints is not for the pipe
    cores: list[Core] = []  # the one, once it is loaded

    def tell(told: dict) -> None:
        out.write(json.dumps(told) + "\n")
        out.flush()

    threading.Thread(target=_obey, args=[cores], daemon=True).start()
    try:
        app, listener = _prepare(wanted, cores)
    except Exception as error:
        known = isinstance(error, UserError | ModelError | ImportError)
        return tell({"error": str(error) if known else f"{type(error).__name__}: {error}"})

    events: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_send, args=[events, tell, cores[0]], daemon=True).start()

    def ready() -> None:
        core, port = cores[0], listener.getsockname()[1]
        tell({"ready": {"port": port, "model": core.name, "placed": core.placed}})
        loop = asyncio.get_running_loop()
        threading.Thread(target=_feel_the_pulse, args=[loop], daemon=True).start()

    with hearing(events.put):
        serve.run(app, listener, ready, http=NotedConnection)


def _prepare(wanted: dict, cores: list[Core]):
    """The app, and the socket that it will be served on. The core is put into `cores`."""
    chapter, listener = chosen(str(wanted["chapter"])), serve.listen(wanted["port"])
    files = _files(chapter, wanted)
    cores.append(_core(wanted))
    graft.install(files)
    return Traced(graft.build(chapter, cores[0])), listener


class NotedConnection(AutoHTTPProtocol):
    """uvicorn's connection, which notes in the trace that it has ended, and whose it was."""

    def connection_lost(self, error) -> None:
        record("closed", client=self.client[1] if self.client else None)
        super().connection_lost(error)


def _files(chapter: Chapter, wanted: dict) -> dict:
    """What stands for each exercise file."""
    files = graft.references(chapter, own=wanted["mine"])
    if wanted["wrong"]:
        its = course()[wanted["wrong_of"]]
        wrong = find_wrong(its, wanted["wrong"])
        (task,) = (task for task in its.tasks if task.file == wrong.file)
        files[its.module(task)] = graft.reference(its, task, wrong.path)
    return files


def _core(wanted: dict):
    if wanted["model"] == "scripted":
        return ScriptedCore(gated=wanted["gated"], tokens_per_second=wanted["pace"])
    if wanted["threads"]:
        import torch

        torch.set_num_threads(wanted["threads"])
    return load(wanted["model"])


def _send(events: queue.SimpleQueue, tell: Callable[[dict], None], core: Core) -> None:
    """Tell the events as they come, in order; those of a token with its text."""
    while True:
        event = events.get()
        if event.kind == "token":
            text = core.decode([event.data["token"]])
            event = replace(event, data={**event.data, "text": text})
        tell({"event": astuple(event)})


def _obey(cores: Sequence[Core]) -> None:
    """Do what is asked on standard input; when it ends, end."""
    for line in sys.stdin:
        command = json.loads(line)
        if "allow" in command:
            cores[0].allow(command["allow"])
        else:
            cores[0].open()
    if cores and isinstance(cores[0], ScriptedCore):
        cores[0].open()
    last_resort = threading.Timer(PATIENCE, os._exit, [0])
    last_resort.daemon = True
    last_resort.start()
    os.kill(os.getpid(), signal.SIGTERM)


def _feel_the_pulse(loop: asyncio.AbstractEventLoop) -> None:
    """Record when the event loop stops to answer, and when it answers again."""
    while not loop.is_closed():
        beat = threading.Event()
        try:
            loop.call_soon_threadsafe(beat.set)
        except RuntimeError:
            return  # it was closed just now
        if not beat.wait(BEAT):
            record("loop blocked")
            beat.wait()
            record("loop free")
        time.sleep(BEAT / 2)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
