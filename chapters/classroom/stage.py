"""What a scripted demonstration can do, and what it waits for: always an event of the trace.

So it needs no times, and shows the same with a model of any speed: where something must happen
during a forward pass, that pass is held until it has happened.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from chapters.classroom.clients import CHAT, HEALTH, Clients
from chapters.classroom.record import Record
from chapters.course.live import LiveServer

PATIENCE = 120  # seconds without anything new, after which a demonstration gives up
HELD = 20  # the same, while the model is held
QUESTION = "Count from 1 to 20."


class Lanes:
    """Whose event is it: counts, for each client's port, what has happened to its request."""

    def __init__(self):
        self.port_of: dict[str, int] = {}  # lane or uid → the client's port
        self.counts: dict[int | None, Counter] = {}  # None: what is no client's
        self.reads: Counter = Counter()  # by client

    @property
    def passes(self) -> int:
        """How many forward passes have ended with a token."""
        return sum(counter["token"] for counter in self.counts.values())

    def of(self, port: int | None) -> Counter:
        """What has happened to the request from this port, and how often."""
        return self.counts.setdefault(port, Counter())

    def take(self, message: dict) -> None:
        if message["type"] == "begin":
            self.port_of, self.counts, self.reads = {}, {}, Counter()
        if message["type"] == "bytes" and not message["out"]:
            self.reads[message["name"]] += 1
        if message["type"] != "trace":
            return
        _, kind, uid, lane, data = message["event"]
        if kind == "received":
            self.port_of[lane] = data["client"]
        if lane in self.port_of and uid:
            self.port_of[uid] = self.port_of[lane]
        port = data["client"] if kind == "closed" else self.port_of.get(uid)
        self.of(port)[kind] += 1


class Stage:
    """The clients, the server's forward passes, and the trace to wait for.

    streams: whether the clients ask for streams where a demonstration does not say.
    """

    def __init__(self, record: Record, clients: Clients, server: LiveServer, streams: bool):
        self.record, self.clients, self.server, self.streams = record, clients, server, streams
        self.patience = PATIENCE
        self.lanes = Lanes()
        for message in record.messages:
            self.lanes.take(message)

    async def ask(self, name: str, tokens: int, prompt: str = QUESTION, **more) -> None:
        """A client asks for an answer of this many tokens.

        more: `headers`, and fields of the body.
        """
        while name not in self.clients:
            self.clients.more()
        headers = more.pop("headers", {})
        body = {
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": tokens,
            "stream": more.pop("stream", self.streams),
            "temperature": 0,
            "ignore_eos": True,
            **more,
        }
        await self.clients[name].ask(CHAT, body, **headers)

    async def health(self, name: str) -> None:
        """A client asks whether the server is well."""
        await self.clients[name].ask(HEALTH, None)

    async def leave(self, name: str) -> None:
        """A client's connection is gone, without a word."""
        await self.clients[name].leave(drop=True)

    async def hold(self) -> None:
        """Hold all forward passes, from now on; returns when none can end any more."""
        before = self.lanes.of(None)["passes held"]
        self.patience = HELD
        self.server.hold()
        await self._until(lambda: self.lanes.of(None)["passes held"] > before)

    def open(self) -> None:
        """Let all passes go on."""
        self.patience = PATIENCE
        self.server.open()

    async def advance(self, name: str, kind: str, count: int) -> None:
        """As `until`, where the model is held: lets one pass after the other end."""
        while not self._reached(name, kind, count):
            passes = self.lanes.passes
            self.server.allow()
            await self._until(
                lambda passes=passes: self.lanes.passes > passes or self._reached(name, kind, count)
            )

    def seen(self, name: str, kind: str) -> int:
        """How often this has happened to the client's present request."""
        return self.lanes.of(self.clients[name].port)[kind]

    async def until(self, name: str, kind: str, count: int = 1) -> None:
        """Wait until this has happened to the client's request, so often, or it is over."""
        await self._until(lambda: self._reached(name, kind, count))

    async def reads(self, name: str, count: int) -> None:
        """Wait until a client has read from its socket so many times more, or to the end."""
        enough, client = self.lanes.reads[name] + count, self.clients[name]
        await self._until(lambda: self.lanes.reads[name] >= enough or client.socket is None)

    async def ended(self, *names: str) -> None:
        """Wait until these clients' connections have ended; without names, everybody's."""
        clients = [self.clients[name] for name in names or self.clients]
        await self._until(lambda: all(client.socket is None for client in clients))

    def _reached(self, name: str, kind: str, count: int) -> bool:
        return self.seen(name, kind) >= count or self.clients[name].state in ("done", "broken")

    async def _until(self, reached) -> None:
        """Raises TimeoutError if nothing comes for long, or nothing can: the server has ended."""
        while not reached():
            if self.server.process.poll() is not None:
                raise TimeoutError
            await asyncio.wait_for(self.record.change(), self.patience)
