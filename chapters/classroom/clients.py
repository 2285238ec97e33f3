"""Clients that a class can watch: raw sockets, so that every byte on the wire is seen.

They live in the page's process and are clients of the shown server as any other program is.
"""

from __future__ import annotations

import asyncio
import json
import socket
import string
import struct
import sys
from collections.abc import Callable, Iterator

from chapters.classroom.record import Record

MOST = 40  # clients
CHAT, HEALTH = "/v1/chat/completions", "/health"
WHOLE, SIP = 1 << 16, 48  # bytes that one read may give, at once or slowly
PAUSE = 0.25  # seconds between two slow reads
SMALL = 4096  # bytes that the system keeps for one who reads slowly
# SO_LINGER, on and without time: close without a word of farewell.
DROP = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


def names() -> Iterator[str]:
    """A, B, C … Z, A2, B2 …"""
    yield from string.ascii_uppercase
    yield from (f"{letter}2" for letter in string.ascii_uppercase)


def request_bytes(name: str, port: int, path: str, body: dict | None, **headers: str) -> bytes:
    """A request as it goes over the wire; without a body it is a GET."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [
        f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
        f"Host: localhost:{port}",
        f"User-Agent: client-{name}",
        "Connection: close",
        *(f"{key.replace('_', '-').title()}: {value}" for key, value in headers.items()),
    ]
    if data:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


class Client:
    """One client with at most one connection.

    port: its end of that connection, by which the trace knows it. slow: it reads in sips.
    """

    def __init__(self, name: str, record: Record, server: Callable[[], int]):
        self.name, self.record, self.server = name, record, server
        self.state, self.port, self.slow = "idle", None, False
        self.socket: socket.socket | None = None
        self.task: asyncio.Task | None = None

    def known(self) -> dict:
        """What the page is told of it."""
        return {"name": self.name, "state": self.state, "port": self.port, "slow": self.slow}

    def tell(self, state: str, why: str = "") -> None:
        self.state = state
        self.record.add("client", **self.known(), why=why)

    def read_slowly(self, slow: bool) -> None:
        self.slow = slow
        self.tell(self.state)

    async def ask(self, path: str, body: dict | None, **headers: str) -> None:
        """Connect and send a request; returns when it is sent. What comes is read meanwhile."""
        await self.leave()
        request = request_bytes(self.name, self.server(), path, body, **headers)
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if self.slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_connect(self.socket, ("127.0.0.1", self.server()))
            self.port = self.socket.getsockname()[1]
            self.tell("sent")
            self.record.add("bytes", name=self.name, out=True, data=request.decode("latin-1"))
            await loop.sock_sendall(self.socket, request)
        except OSError as error:
            self._close("broken", f"no connection: {error.strerror or error}")
            return
        self.task = asyncio.create_task(self._read())

    async def leave(self, drop: bool = False) -> None:
        """Close the connection, if there is one: as a stop button does, or without a word."""
        if self.task:
            self.task.cancel()
            await asyncio.wait({self.task})
        if self.socket:
            if drop:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, DROP)
            self._close("vanished" if drop else "stopped")

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                if self.slow:
                    await asyncio.sleep(PAUSE)
                data = await loop.sock_recv(self.socket, SIP if self.slow else WHOLE)
                if not data:
                    return self._close("done")
                self.record.add("bytes", name=self.name, out=False, data=data.decode("latin-1"))
        except OSError as error:
            self._close("broken", f"the connection broke: {error.strerror or error}")

    def _close(self, state: str, why: str = "") -> None:
        self.socket.close()
        self.socket = self.task = None
        self.tell(state, why)


class Clients(dict):
    """All clients, by name, in order."""

    def __init__(self, record: Record, server: Callable[[], int]):
        self.record, self.server, self._names = record, server, names()
        super().__init__()
        for _ in "ABC":
            self.more()

    def more(self) -> Client:
        """One more client. Raises ValueError where there are too many."""
        if len(self) == MOST:
            raise ValueError(f"there are {MOST} clients, and no more")
        client = Client(next(self._names), self.record, self.server)
        self[client.name] = client
        client.tell("idle")
        return client

    def known(self) -> list[dict]:
        return [client.known() for client in self.values()]

    async def leave(self) -> None:
        """All of them close their connections."""
        for client in self.values():
            await client.leave()
