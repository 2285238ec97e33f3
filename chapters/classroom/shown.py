"""The server that is shown: a process of its own, which may block, crash, and be exchanged."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass

from chapters.classroom.record import Record
from chapters.core.trace import ENDS, Event
from chapters.course.live import LiveServer
from chapters.course.manifest import course, up_to
from chapters.course.settings import UserError
from chapters.course.stubs import attempted

LINES = 20  # of its standard error, that are shown when it has ended


@dataclass(frozen=True)
class Choice:
    """Which server is shown.

    whose: "reference" or "mine". wrong: a wrong answer's name, of chapter `wrong_of` (None: of
    this one). model: "scripted", a hub id, a local folder, or None, the embedded one. pace: tokens
    a second of the scripted core; None: full speed.
    """

    chapter: int
    whose: str = "reference"
    wrong: str | None = None
    wrong_of: int | None = None
    model: str | None = None
    pace: float | None = None


def own_tasks(chapter: int) -> list[str]:
    """The tasks up to this chapter that the student has begun."""
    return [
        task.id
        for earlier in up_to(course()[chapter])
        for task in earlier.tasks
        if (earlier.folder / task.file).is_file()
        and attempted(earlier, task, earlier.folder / task.file)
    ]


class Shown:
    """Starts, exchanges and watches the shown server, and tells the record about it.

    unfinished: what it has begun and not ended: requests received, generations with a KV cache.
    state: "none", "starting", "running", "refused" (it could not start) or "ended" (by itself).
    """

    def __init__(self, record: Record, choice: Choice, port: int):
        self.record, self.choice, self.port = record, choice, port
        self.server: LiveServer | None = None
        self.known = {"state": "none"}
        self.unfinished: set[tuple[str, str]] = set()
        self._busy = asyncio.Lock()
        self._changing: asyncio.Future | None = None

    def start(self) -> None:
        """Start what is chosen; blocks until it is ready. Raises UserError if it cannot start."""
        choice = self.choice
        self.unfinished.clear()
        own = choice.whose == "mine" and not choice.wrong  # a fault stands in the reference
        mine = own_tasks(choice.chapter) if own else []
        self.server = LiveServer(
            choice.chapter,
            mine=mine,
            wrong=choice.wrong,
            wrong_of=choice.wrong_of,
            model=choice.model,
            pace=choice.pace if choice.model == "scripted" else None,
            port=self.port,
            hear=self._hear,
        )
        self.port = self.server.port
        self._tell("running", pid=self.server.process.pid, mine=mine)
        threading.Thread(target=self._watch, args=[self.server], daemon=True).start()

    def stop(self) -> None:
        """End it; returns when it has ended."""
        server, self.server = self.server, None
        if server:
            server.stop()

    async def change(self, choice: Choice, begin: Callable[[], None]) -> None:
        """Exchange it for another one, or the same anew; `begin()` is called between the two.

        It is done to its end, also where whoever waits for it is cancelled.
        """
        self._changing = asyncio.ensure_future(self._change(choice, begin))
        await asyncio.shield(self._changing)

    async def _change(self, choice: Choice, begin: Callable[[], None]) -> None:
        async with self._busy:
            self.choice = choice
            self._tell("starting")
            await asyncio.to_thread(self.stop)
            begin()
            try:
                await asyncio.to_thread(self.start)
            except UserError as error:
                first, *rest = str(error).splitlines()
                self._tell("refused", why=f"It could not start: {first}", said=rest)

    def kill(self) -> None:
        """As the system does with a process that takes too much memory."""
        if self.server:
            self.server.process.kill()

    def _tell(self, state: str, **more) -> None:
        server = self.server
        self.known = {"state": state, "port": self.port, **asdict(self.choice), **more}
        if server and state != "starting":
            self.known |= {"whose_words": server.whose, "model_name": server.model_name}
        self.record.add("server", **self.known)

    def _hear(self, event: Event) -> None:
        if event.kind == "received":
            self.unfinished.add(("request", event.lane))
        elif event.kind in ENDS:
            self.unfinished.discard(("request", event.lane))
        elif event.kind == "prefill":
            self.unfinished.add(("generation", event.uid))
        elif event.kind == "kv freed":
            self.unfinished.discard(("generation", event.uid))
        data = {name: value for name, value in event.data.items() if name != "prompt"}
        told = [event.time, event.kind, event.uid, event.lane, data]
        self.record.add("trace", event.time, event=told)

    def _watch(self, server: LiveServer) -> None:
        """Wait for its end, in a thread; one that nobody asked for is told."""
        status = server.process.wait()
        if self.server is server:
            server.stop()  # what it has said comes to its end
            self._tell(
                "ended",
                why=f"The server has ended: {in_words(status)}.",
                said=list(server.said)[-LINES:],
            )


def in_words(status: int) -> str:
    """What an exit status means."""
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"
