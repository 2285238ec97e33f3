"""Asks a server over a real socket, and notes when what came back.

Times are on `time.perf_counter`'s clock, which the server's trace shares, so that both sides can
stand on one axis. All of it blocks: a notebook's own event loop is no obstacle, and no help.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from chapters.course.live import LiveServer

PATIENCE = 120  # seconds
CHAT, TEXT = "/v1/chat/completions", "/v1/completions"


@dataclass(frozen=True)
class Read:
    """What one read from the socket gave, and when."""

    time: float
    data: bytes


@dataclass(frozen=True)
class Answer:
    """One whole response, as it came.

    sent: when its client began to send; reads: what came, read by read.
    """

    sent: float
    reads: list[Read] = field(repr=False)

    @property
    def raw(self) -> bytes:
        """All bytes of the response: status line, headers, body as it was framed."""
        return b"".join(read.data for read in self.reads)

    @property
    def head(self) -> str:
        """The status line and the headers."""
        return self.raw.partition(b"\r\n\r\n")[0].decode("latin-1")

    @property
    def headers(self) -> dict[str, str]:
        """The headers; their names in lower case."""
        pairs = (line.partition(":") for line in self.head.split("\r\n")[1:])
        return {name.lower(): value.strip() for name, _, value in pairs}

    @property
    def status(self) -> int:
        return int(self.raw.split(b" ", 2)[1])

    @property
    def body(self) -> bytes:
        """The body, out of its chunks if it came in chunks."""
        head, _, rest = self.raw.partition(b"\r\n\r\n")
        if b"transfer-encoding: chunked" not in head.lower():
            return rest
        body = b""
        while rest:
            line, _, rest = rest.partition(b"\r\n")
            size = int(line.partition(b";")[0], 16)
            body, rest = body + rest[:size], rest[size + 2 :]
        return body

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The text that was generated."""
        choice = self.json["choices"][0]
        return choice["message"]["content"] if "message" in choice else choice["text"]

    @property
    def ended(self) -> float:
        """When the last byte came."""
        return self.reads[-1].time

    @property
    def first(self) -> float:
        """Seconds until the first byte came."""
        return self.reads[0].time - self.sent

    @property
    def took(self) -> float:
        """Seconds until the last byte came."""
        return self.ended - self.sent


def request_bytes(body: dict | bytes, path: str = TEXT, method: str = "POST", **headers) -> bytes:
    """A request as it goes over the wire. headers: `x_request_id="a"` is `X-Request-Id: a`."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost:1919",
        "Content-Type: application/json",
        f"Content-Length: {len(data)}",
        "Connection: close",
        *(f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def stream(server: LiveServer, request: bytes) -> Iterator[Read]:
    """Send a request and yield what comes, read by read, until the server closes.

    Leave the loop and close this iterator to leave as a client does that goes away.
    """
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        while data := connection.recv(1 << 16):
            yield Read(time.perf_counter(), data)


def raw(server: LiveServer, request: bytes) -> Answer:
    """Send these bytes; the whole response."""
    sent = time.perf_counter()
    return Answer(sent, list(stream(server, request)))


def ask(server: LiveServer, prompt: str | list[dict] | None = None, **fields) -> Answer:
    """Ask for a completion of a prompt (text) or an answer to a conversation (a list of messages).

    Without a prompt, `GET` of `path`. fields: of the body, such as max_tokens; temperature is 0
    unless it is given.
    """
    if prompt is None:
        return raw(server, request_bytes(b"", fields.get("path", "/health"), "GET"))
    name, path = ("prompt", TEXT) if isinstance(prompt, str) else ("messages", CHAT)
    return raw(server, request_bytes({name: prompt, "temperature": 0, **fields}, path))


def together(calls: Iterable[Callable]) -> list:
    """Call all of them at the same time, a thread each; their results, in order."""
    calls = list(calls)
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]
