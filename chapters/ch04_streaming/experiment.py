"""`make experiment-4`: what streaming changes for the one who waits, and what it does not.

The reference's server as of this chapter, over a real socket, with a scripted core: a forward
pass is a pause, so no model is needed. The answer is 40 tokens, 39 of them the bytes of 日本語,
three tokens a character, and the end token.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import cycle, islice
from urllib.parse import urlsplit

import httpx
from rich import box
from rich.console import Console
from rich.table import Table

from chapters.core import ScriptedCore
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

TOKENS, TOKENS_PER_SECOND = 40, 40
PATH = "/v1/chat/completions"


def says(_: str) -> Iterator[bytes]:
    """The script: one byte of 日本語 a token."""
    return islice(map(bytes, zip(cycle("日本語".encode()), strict=False)), TOKENS - 1)


@contextmanager
def served(tokens_per_second: float | None = TOKENS_PER_SECOND) -> Iterator[tuple]:
    """A server of its own: (its core, its address)."""
    chapter = course()[4]
    graft.install(graft.references(chapter))
    core = ScriptedCore(says, tokens_per_second=tokens_per_second)
    with running(graft.build(chapter, core), debug=False) as url:
        yield core, url


@contextmanager
def asked(url: str, stream: bool) -> Iterator[socket.socket]:
    """A connection on which the question has been sent."""
    messages = [{"role": "user", "content": "Say it."}]
    body = json.dumps({"messages": messages, "stream": stream}).encode()
    head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", urlsplit(url).port))) as connection:
        connection.sendall(head.encode() + body)
        yield connection


def reads_of(connection: socket.socket, size: int) -> Iterator[tuple[float, bytes]]:
    """What each read returned, and when, to the end of the connection."""
    while received := connection.recv(size):
        yield time.perf_counter(), received


def waits(stream: bool) -> dict:
    """One answer: when its text came, what it cost, and how long somebody else waited."""
    with (
        served() as (core, url),
        httpx.Client(base_url=url) as other,
        asked(url, stream) as connection,
    ):
        began = time.perf_counter()
        other.get("/health").raise_for_status()
        health = time.perf_counter() - began
        text = [at - began for at, received in reads_of(connection, 65536) if has_text(received)]
        return {
            "first text": f"{1000 * text[0]:.0f} ms",
            "last text": f"{1000 * text[-1]:.0f} ms",
            "forward passes": str(core.forwards),
            "/health meanwhile": f"{1000 * health:.0f} ms",
        }


def has_text(received: bytes) -> bool:
    """Whether a piece of the response's body, whole or streamed, holds text of the answer."""
    forms = (form for letter in "日本語" for form in (letter, ascii(letter).strip("'")))
    return any(form.encode() in received for form in forms)


def counts(tokens_per_second: float | None, size: int) -> dict:
    """One streamed answer: its tokens, its events, and how many reads the response took."""
    with served(tokens_per_second) as (core, url), asked(url, True) as connection:
        reads = [received for _, received in reads_of(connection, size)]
        received = b"".join(reads)
        return {
            "tokens": str(core.forwards),
            "characters": str(TOKENS // 3),
            "events": str(received.count(b"data: ")),
            "network reads": str(len(reads)),
        }


def after_leaving(seconds: float = 0.25) -> dict:
    """A client closes the connection at the first text; the passes made by then, and later."""
    with served() as (core, url):
        with asked(url, True) as connection:
            next(at for at, received in reads_of(connection, 65536) if has_text(received))
        began, seen = time.perf_counter(), {"0.00 s": str(core.forwards)}
        while core.forwards < TOKENS:
            time.sleep(seconds)
            seen[f"{time.perf_counter() - began:.2f} s"] = str(core.forwards)
        return seen


def table(title: str, columns: dict[str, dict]) -> Table:
    """Measurements side by side: each column is a run, each row a quantity."""
    made = Table(title, *columns, box=box.SIMPLE)
    for row in next(iter(columns.values())):
        made.add_row(row, *(column[row] for column in columns.values()))
    return made


def main() -> None:
    """Measure, and show."""
    console = Console(highlight=False)
    pause = 1000 // TOKENS_PER_SECOND
    console.print(f"\n{TOKENS} tokens, {pause} ms a forward pass; three tokens are a character")
    console.print(table("", {"whole": waits(False), "streamed": waits(True)}))
    runs = {
        f"{pause} ms a pass": counts(TOKENS_PER_SECOND, 65536),
        "full speed": counts(None, 65536),
        "reads of 100 bytes": counts(None, 100),
    }
    console.print(table("the streamed answer", runs))
    left = after_leaving()
    rows = {moment: {"forward passes so far": passes} for moment, passes in left.items()}
    console.print(table("after the client has left", rows))


if __name__ == "__main__":
    main()
