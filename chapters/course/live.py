"""A chapter's server in a process of its own, which tells what happens in it.

For lessons and the classroom page: they are clients of it, over HTTP as everybody is, and see
its trace, event by event, while it goes on. It may block, crash or be ended; they live on.

    with LiveServer(chapter=3, gated=True) as server:
        ...                               # ask server.url, from threads
        server.watch.wait_for("prefill")
        server.allow(5)                   # the gated core may make five passes

Beside the trace's own kinds of event it records "loop blocked" and "loop free"; "written": the
connection has taken so many bytes of a response's body; and of a real model "kv bytes": what all
its KV caches take, after each token and when one is freed.

The two talk through pipes, a JSON object a line. In: `{"allow": n}`, `{"open": true}`. Out: first
`{"ready": …}` or `{"error": …}`, then `{"event": […]}`. When the one who started it goes, its
standard input ends, and so does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple

from chapters.core import ScriptedCore
from chapters.core.loading import ModelError, load
from chapters.core.trace import Event, Traced, Watch, hearing, record
from chapters.course import graft, serve
from chapters.course.manifest import Chapter, course
from chapters.course.paths import ROOT
from chapters.course.settings import UserError
from chapters.course.stubs import attempted
from chapters.course.wrong import find_wrong

PATIENCE = 2  # seconds a server has to end by itself
BEAT = 0.05  # seconds without a sign of life after which an event loop counts as blocked


def passing(chapter: Chapter) -> list[str]:
    """The ids of the chapter's tasks whose file in `chapters/` gets full marks. Takes seconds."""
    from chapters.course.grade import grade_task  # brings pytest, which no server needs

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
    wrong: the name of a wrong answer of that chapter to swap in.
    model: "scripted", a local folder, a hub id, or None: the embedded model.
    gated: each forward pass waits for `allow` or `open` before it ends.
    pace: tokens a second of the scripted core; None: full speed.
    script: its answers, prompt → pieces, a token each: text, bytes, or an exception to raise.
    threads: how many threads PyTorch computes with; None: its own choice.
    port: where to listen; 0: any free one.
    send_buffer: bytes that the system keeps for a connection whose client does not read; None:
        as many as it likes, often megabytes.
    hear: called with each event, in a thread of its own, beside `watch`, which keeps them.

    Raises UserError if the server could not be started, with the reason.
    """

    def __init__(
        self,
        chapter: int,
        *,
        mine: Sequence[str] = (),
        wrong: str | None = None,
        model: str | None = "scripted",
        gated: bool = False,
        pace: float | None = None,
        script: Mapping[str, Sequence[str | bytes | Exception]] | None = None,
        threads: int | None = None,
        port: int = 0,
        send_buffer: int | None = None,
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
            "model": model,
            "gated": gated,
            "pace": pace,
            "script": {said: [_told(p) for p in pieces] for said, pieces in (script or {}).items()},
            "threads": threads,
            "port": port,
            "send_buffer": send_buffer,
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
        first = json.loads(self.process.stdout.readline() or '{"error": "it ended at once"}')
        if "error" in first:
            self.stop()
            raise UserError("\n".join([first["error"], *self.said]))
        self.port, self.model_name = first["ready"]["port"], first["ready"]["model"]
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
        """Let this many forward passes of a gated server end."""
        self._tell({"allow": passes})

    def open(self) -> None:
        """Let every pass of a gated server end, now and from now on."""
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

    def tell(told: dict) -> None:
        out.write(json.dumps(told) + "\n")
        out.flush()

    try:
        if wanted["chapter"] not in course():
            raise UserError(f"There is no chapter {wanted['chapter']}.")
        chapter, core = course()[wanted["chapter"]], _core(wanted)
        wrong = find_wrong(chapter, wanted["wrong"]) if wanted["wrong"] else None
        overlays = {wrong.file: wrong.path} if wrong else {}
        graft.install(graft.references(chapter, overlays, wanted["mine"]))
        gate = _gate(core, wanted["gated"])
        app = Traced(Written(graft.build(chapter, core)))
        listener = serve.listen(wanted["port"])
        if wanted["send_buffer"]:  # each connection inherits it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, wanted["send_buffer"])
    except Exception as error:
        known = isinstance(error, UserError | ModelError | ImportError)
        return tell({"error": str(error) if known else f"{type(error).__name__}: {error}"})

    events: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_send, args=[events, tell], daemon=True).start()
    threading.Thread(target=_obey, args=[gate], daemon=True).start()

    def ready() -> None:
        tell({"ready": {"port": listener.getsockname()[1], "model": core.name}})
        loop = asyncio.get_running_loop()
        threading.Thread(target=_feel_the_pulse, args=[loop], daemon=True).start()

    def hear(event: Event) -> None:
        events.put(event)
        if gate is not core and event.kind in ("token", "kv freed"):
            record("kv bytes", bytes=gate.kv_bytes)

    with hearing(hear):
        serve.run(app, listener, ready)


def _core(wanted: dict):
    if wanted["model"] == "scripted":
        script = {said: list(map(_piece, told)) for said, told in wanted["script"].items()}
        return ScriptedCore(script, gated=wanted["gated"], tokens_per_second=wanted["pace"])
    if wanted["threads"]:
        import torch

        torch.set_num_threads(wanted["threads"])
    return load(wanted["model"])


def _gate(core, gated: bool):
    """What holds the core's forward passes: a scripted one does it itself."""
    if isinstance(core, ScriptedCore):
        return core
    from chapters.course.gate import ModelGate

    return ModelGate(core, gated)


class Written:
    """An ASGI layer that records what the connections take of each response."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        async def noted(message):
            await send(message)
            if message.get("body"):
                record("written", bytes=len(message["body"]))

        await self.app(scope, receive, noted)


def _told(piece: str | bytes | Exception) -> str | list | dict:
    """A piece of a script as JSON can have it."""
    if isinstance(piece, Exception):
        return {"raise": str(piece)}
    return piece if isinstance(piece, str) else list(piece)


def _piece(told: str | list | dict) -> str | bytes | Exception:
    """What `_told` was told."""
    if isinstance(told, dict):
        return RuntimeError(told["raise"])
    return told if isinstance(told, str) else bytes(told)


def _send(events: queue.SimpleQueue, tell: Callable[[dict], None]) -> None:
    """Tell the events as they come, in order."""
    while True:
        tell({"event": astuple(events.get())})


def _obey(gate) -> None:
    """Do what is asked on standard input; when it ends, end."""
    for line in sys.stdin:
        command = json.loads(line)
        if "allow" in command:
            gate.allow(command["allow"])
        else:
            gate.open()
    gate.open()
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
