"""The present run as messages, in order: what the page shows, replays and exports.

Each is a dict with a `type` and `at`, seconds on `time.perf_counter`'s clock, which the shown
server's trace shares:

    begin     a run begins: all that is known of the server and the clients
    server    the shown server starts, runs, could not start, or has ended
    client    a client has sent, ended, left, …
    bytes     what a client has sent (`out`) or read from its socket, a character a byte
    trace     an event of the shown server's trace: `event` is [time, kind, uid, lane, data]
    demo      a demonstration begins or ends

Any thread may add. Everything else happens on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 40_000  # messages that are kept of one run
PAUSE = 0.03  # seconds in which messages gather before they are handed on
PAGE = Path(__file__).parent / "page"
STYLE, SCRIPTS = (
    "page.css",
    ("run.js", "wire.js", "timeline.js", "replay.js", "cards.js", "page.js"),
)


class Record:
    """The messages of the present run.

    run: how many runs have begun; first: the number of the oldest message that is kept.
    hearers: called on the event loop with each message.
    """

    def __init__(self):
        self.run = self.first = 0
        self.messages: list[dict] = []
        self.hearers: list[Callable[[dict], None]] = []
        self._new: list[dict] = []
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self.ended = False

    def open(self) -> None:
        """Hand messages on, from now on; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._drain()

    def close(self) -> None:
        """Let go of everybody who looks. Any thread."""
        self.ended = True
        if self._loop:
            with contextlib.suppress(RuntimeError):  # so is the loop
                self._loop.call_soon_threadsafe(self._drain)

    def add(self, type: str, at: float | None = None, **said) -> None:
        """Add a message. Any thread."""
        message = {"type": type, "at": time.perf_counter() if at is None else at, **said}
        with self._lock:
            self._new.append(message)
            waits = len(self._new) == 1 and self._loop
        if waits:
            with contextlib.suppress(RuntimeError):  # the page has just ended
                self._loop.call_soon_threadsafe(self._loop.call_later, PAUSE, self._drain)

    def begin(self, **known) -> None:
        """Forget the run so far and begin another one."""
        self._drain()
        self.messages.clear()
        self.run, self.first = self.run + 1, 0
        self.add("begin", run=self.run, **known)
        self._drain()

    def _drain(self) -> None:
        with self._lock:
            new, self._new = self._new, []
        self.messages += new
        surplus = len(self.messages) - LIMIT
        if surplus > 0:
            self.first += surplus
            del self.messages[1 : 1 + surplus]  # what is known at the beginning stays
        for message in new:
            for hear in self.hearers:
                hear(message)
        self._changed.set()
        self._changed = asyncio.Event()

    async def change(self) -> None:
        """Wait until messages have come, a run has begun, or all is over."""
        await self._changed.wait()

    async def batches(self):
        """The messages of the present run and of those to come, as the page wants them."""
        run, seen = -1, 0
        while not self.ended:
            if run != self.run:
                run, seen = self.run, 0
            new = self.messages[max(seen - self.first, 0) :]
            if new:
                seen = self.first + len(self.messages)
                yield {"now": time.perf_counter(), "messages": new}
            else:
                await self.change()


def offline(messages: list[dict]) -> str:
    """The page as one file that plays these messages and needs no server."""
    html = (PAGE / "index.html").read_text("utf-8")
    style = f"<style>\n{(PAGE / STYLE).read_text('utf-8')}</style>"
    html = html.replace(f'<link rel="stylesheet" href="{STYLE}">', style)
    for name in SCRIPTS:
        script = f"<script>\n{(PAGE / name).read_text('utf-8')}</script>"
        html = html.replace(f'<script src="{name}"></script>', script)
    told = json.dumps(messages).replace("<", "\\u003c")
    recording = f'<script type="application/json" id="recording">{told}</script>'
    return html.replace("<!-- recording -->", recording)
