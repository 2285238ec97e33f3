"""bytes.splitlines knows LF, CR LF and CR only; a coroutine makes events of its lines."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable

BOM = b"\xef\xbb\xbf"


class StreamError(Exception):
    """The stream did not end as it should."""


class EventParser:
    def __init__(self):
        self.unfinished = b""
        self.after_cr = False
        self.assembler = assembler()
        next(self.assembler)

    def feed(self, received: bytes) -> list[str]:
        if not received:
            return []
        if self.after_cr:
            received = received.removeprefix(b"\n")
            self.after_cr = False
        lines = (self.unfinished + received).splitlines(keepends=True)
        self.unfinished = b""
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            self.unfinished = lines.pop()
        elif lines:
            self.after_cr = lines[-1].endswith(b"\r")
        events = [self.assembler.send(line.rstrip(b"\r\n")) for line in lines]
        return [event for event in events if event is not None]


def assembler() -> Generator[str | None, bytes, None]:
    """Is sent whole lines; gives the data of an event at the empty line that ends it."""
    data: list[bytes] = []
    line = (yield None).removeprefix(BOM)
    while True:
        event = None
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif line == b"data":
            data.append(b"")
        elif not line and data:
            event, data = b"\n".join(data).decode("utf-8", "replace"), []
        line = yield event


def read_answer(reads: Iterable[bytes]) -> str:
    parser, text = EventParser(), ""
    events = (data for received in reads for data in parser.feed(received))
    for data in iter(lambda: next(events, None), "[DONE]"):
        if data is None:
            raise StreamError("the connection closed, and [DONE] had not come")
        chunk = json.loads(data)
        if error := chunk.get("error"):
            raise StreamError(error["message"])
        for choice in chunk["choices"][:1]:
            text += choice["delta"].get("content") or ""
    return text
