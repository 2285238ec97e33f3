"""A chapter's server in a process of its own, which tells what happens in it.

For lessons and the classroom page: they are clients of it, over HTTP as everybody is, and see
its trace, event by event, while it goes on. It may block, crash or be ended; they live on.

    with LiveServer(chapter=3, gated=True) as server:
        ...                               # ask server.url, from threads
        server.watch.wait_for("prefill")
        server.allow(5)                   # the gated core may make five passes
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from chapters.core.trace import Event, Watch
from chapters.course.paths import ROOT
from chapters.course.settings import UserError

PATIENCE = 2  # seconds a server has to end by itself
BEAT = 0.05  # seconds without a sign of life after which an event loop counts as blocked


class LiveServer:
    """A running server; leave the `with` block, or call `stop`, to end it.

    chapter: the server as of this chapter.
    mine: task ids whose file is the student's own; all others are the reference's.
    wrong: the name of a wrong answer of that chapter to swap in; of an earlier one, if `wrong_of`
        says which.
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
        wrong_of: int | None = None,
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
            "wrong_of": wrong_of or chapter,
            "model": model,
            "gated": gated,
            "pace": pace,
            "script": {said: [_told(p) for p in pieces] for said, pieces in (script or {}).items()},
            "threads": threads,
            "port": port,
            "send_buffer": send_buffer,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chapters.course.live_process", json.dumps(wanted)],
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

    def hold(self) -> None:
        """Let no forward pass end any more; once it is so, an event says "passes held"."""
        self._tell({"hold": True})

    def allow(self, passes: int = 1) -> None:
        """Let this many forward passes end, of those that are held and those to come."""
        self._tell({"allow": passes})

    def open(self) -> None:
        """Let every pass end, now and from now on."""
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
        with contextlib.suppress(OSError, ValueError):  # it has ended, as `ended` says
            self.process.stdin.write(json.dumps(command) + "\n")
            self.process.stdin.flush()

    def _keep_events(self) -> None:
        for line in self.process.stdout:
            event = Event(*json.loads(line)["event"])
            self.watch.add(event)
            self.hear(event)

    def _keep_errors(self) -> None:
        self.said.extend(line.rstrip() for line in self.process.stderr)


def _told(piece: str | bytes | Exception) -> str | list | dict:
    """A piece of a script as JSON can have it."""
    if isinstance(piece, Exception):
        return {"raise": str(piece)}
    return piece if isinstance(piece, str) else list(piece)
