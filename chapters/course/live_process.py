"""The process of a `LiveServer`: serves a chapter, and tells its trace while it goes on.

To the events of `chapters.core.trace` it adds: "loop blocked" and "loop free"; "closed": a
connection has ended, with its client's port; "written": a connection has taken so many bytes of a
response's body; the text of each token; and of a real model "kv bytes": what all its KV caches
take, after each token and when one is freed.

It talks through pipes, a JSON object a line. In: `{"hold": true}`, which is told as an event
"passes held" once it is so, `{"allow": n}`, `{"open": true}`. Out: first
`{"ready": …}` or `{"error": …}`, then `{"event": […]}`. When the one who started it goes, its
standard input ends, and so does it.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import signal
import socket
import sys
import threading
import time
from dataclasses import astuple, replace

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from chapters.core import Core, ScriptedCore
from chapters.core.loading import ModelError, load
from chapters.core.trace import Event, Traced, hearing, record
from chapters.course import graft, serve
from chapters.course.live import BEAT, PATIENCE
from chapters.course.manifest import Chapter, course
from chapters.course.settings import UserError
from chapters.course.wrong import find_wrong


class Process:
    """One shown server, from what is wanted to its end.

    wanted: what `LiveServer` was given. core, gate: once they are there, the core and what holds
    its forward passes.
    """

    def __init__(self, wanted: dict):
        self.wanted = wanted
        self.core: Core | None = None
        self.gate = None
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.out, sys.stdout = sys.stdout, sys.stderr  # what a student's file prints is not for it

    def run(self) -> None:
        """Serve until told to end."""
        threading.Thread(target=self._obey, daemon=True).start()
        try:
            listener = self._listen()
            app = self._build()
        except Exception as error:
            known = isinstance(error, UserError | ModelError | ImportError)
            return self._tell(error=str(error) if known else f"{type(error).__name__}: {error}")
        threading.Thread(target=self._send, daemon=True).start()

        def ready() -> None:
            port = listener.getsockname()[1]
            self._tell(ready={"port": port, "model": self.core.name, "placed": self.core.placed})
            loop = asyncio.get_running_loop()
            threading.Thread(target=_feel_the_pulse, args=[loop], daemon=True).start()

        with hearing(self._hear):
            serve.run(app, listener, ready, http=NotedConnection)

    def _listen(self) -> socket.socket:
        listener = serve.listen(self.wanted["port"])
        if self.wanted["send_buffer"]:  # each connection inherits it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.wanted["send_buffer"])
        return listener

    def _build(self):
        """The app. What can be refused at once is, before the model loads."""
        if self.wanted["chapter"] not in course():
            raise UserError(f"There is no chapter {self.wanted['chapter']}.")
        chapter = course()[self.wanted["chapter"]]
        files = _files(chapter, self.wanted)
        self.core = _core(self.wanted)
        self.gate = _gate(self.core, self.wanted["gated"])
        graft.install(files)
        return Traced(Written(graft.build(chapter, self.core)))

    def _hear(self, event: Event) -> None:
        self.events.put(event)
        if self.gate is not self.core and event.kind in ("token", "kv freed"):
            record("kv bytes", bytes=self.gate.kv_bytes)

    def _send(self) -> None:
        """Tell the events as they come, in order; those of a token with its text."""
        while True:
            event = self.events.get()
            if event.kind == "token":
                text = self.core.decode([event.data["token"]])
                event = replace(event, data={**event.data, "text": text})
            self._tell(event=astuple(event))

    def _tell(self, **told) -> None:
        self.out.write(json.dumps(told) + "\n")
        self.out.flush()

    def _obey(self) -> None:
        """Do what is asked on standard input; when it ends, end."""
        for line in sys.stdin:
            command = json.loads(line)
            if "allow" in command:
                self.gate.allow(command["allow"])
            elif "hold" in command:
                self.gate.hold()
                record("passes held")
            else:
                self.gate.open()
        if self.gate:
            self.gate.open()
        last_resort = threading.Timer(PATIENCE, os._exit, [0])
        last_resort.daemon = True
        last_resort.start()
        os.kill(os.getpid(), signal.SIGTERM)


class NotedConnection(AutoHTTPProtocol):
    """uvicorn's connection, which notes in the trace that it has ended, and whose it was."""

    def connection_lost(self, error) -> None:
        record("closed", client=self.client[1] if self.client else None)
        super().connection_lost(error)


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


def _files(chapter: Chapter, wanted: dict) -> dict:
    """What stands for each exercise file."""
    files = graft.references(chapter, own=wanted["mine"])
    if wanted["wrong"]:
        its = course()[wanted["wrong_of"]]
        wrong = find_wrong(its, wanted["wrong"])
        (task,) = (task for task in its.tasks if task.file == wrong.file)
        files[its.module(task)] = graft.reference(its, task, wrong.path)
    return files


def _core(wanted: dict) -> Core:
    if wanted["model"] == "scripted":
        script = {said: list(map(_piece, told)) for said, told in wanted["script"].items()}
        return ScriptedCore(script, gated=wanted["gated"], tokens_per_second=wanted["pace"])
    if wanted["threads"]:
        import torch

        torch.set_num_threads(wanted["threads"])
    return load(wanted["model"])


def _piece(told: str | list | dict) -> str | bytes | Exception:
    """A token of a script, which JSON has as text, as a list of bytes, or as {"raise": …}."""
    if isinstance(told, dict):
        return RuntimeError(told["raise"])
    return told if isinstance(told, str) else bytes(told)


def _gate(core: Core, gated: bool):
    """What holds the core's forward passes: a scripted one does it itself."""
    if isinstance(core, ScriptedCore):
        return core
    from chapters.course.gate import ModelGate

    return ModelGate(core, gated)


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
    Process(json.loads(sys.argv[1])).run()
