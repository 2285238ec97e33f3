"""A streamed response, taken apart: its events, where each stands, and when it was there."""

from __future__ import annotations

import json
import socket
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from chapters.course.live import LiveServer
from chapters.lessons.asking import Answer, Read

END = b"\n\n"  # of an event, as our server writes it


@dataclass(frozen=True)
class Told:
    """One event of a stream.

    data: what stands behind `data: `; end: how many bytes of the response there were with its
    last one; time: when that one was read.
    """

    data: str
    end: int
    time: float

    @property
    def text(self) -> str:
        """The text of the answer that it brings, perhaps none."""
        if self.data == "[DONE]":
            return ""
        choice = json.loads(self.data)["choices"][0]
        return choice.get("text") or choice.get("delta", {}).get("content") or ""


def unchunked(raw: bytes) -> tuple[bytes, list[int]]:
    """The body of a response that came in HTTP's chunks, and where in `raw` each byte stands."""
    body, where = bytearray(), []
    at = raw.index(b"\r\n\r\n") + 4
    while at < len(raw):
        line_end = raw.index(b"\r\n", at)
        size, start = int(raw[at:line_end], 16), line_end + 2
        body += raw[start : start + size]
        where += range(start, start + size)
        at = start + size + 2
    return bytes(body), where


def told(answer: Answer) -> list[Told]:
    """The events of a stream, in order."""
    body, where = unchunked(answer.raw)
    read_ends = list(accumulate(len(read.data) for read in answer.reads))
    found, start = [], 0
    while (stop := body.find(END, start)) >= 0:
        end = where[stop + 1] + 1
        read = answer.reads[bisect_left(read_ends, end)]
        found.append(Told(body[start:stop].decode().removeprefix("data: "), end, read.time))
        start = stop + len(END)
    return found


def asked(server: LiveServer, request: bytes, buffer: int | None = None) -> socket.socket:
    """A connection on which the request has been sent, and nothing has been read.

    buffer: bytes that the system keeps here for a client that does not read.
    """
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(request)
    return connection


def reads_of(connection: socket.socket, size: int = 1 << 16) -> Iterator[Read]:
    """What each read gives, at most `size` bytes, until the server closes."""
    while data := connection.recv(size):
        yield Read(time.perf_counter(), data)


def read_late(server: LiveServer, request: bytes, size: int) -> Answer:
    """The answer to a client that begins to read when all has been written, `size` bytes a read."""
    before = len(server.watch.of("finished"))
    with asked(server, request) as connection:
        sent = time.perf_counter()
        server.watch.wait_for("finished", before + 1, watchdog=60)
        return Answer(sent, list(reads_of(connection, size)))


def in_utf8(body: bytes) -> bytes:
    """The same events as other servers write them: characters as they are, not as `\\u…`."""
    written = b""
    for line in body.splitlines():
        if line.startswith(b"data: {"):
            chunk = json.loads(line.removeprefix(b"data: "))
            line = b"data: " + json.dumps(chunk, ensure_ascii=False).encode()
        written += line + b"\n"
    return written


def broken_cuts(client: Callable[[Iterable[bytes]], str], body: bytes, text: str) -> list[int]:
    """Where the network may not cut a body in two, or this client does not find its text."""
    return [at for at in range(1, len(body)) if _said(client, [body[:at], body[at:]]) != text]


def _said(client, reads: list[bytes]) -> str | None:
    try:
        return client(reads)
    except Exception:
        return None
