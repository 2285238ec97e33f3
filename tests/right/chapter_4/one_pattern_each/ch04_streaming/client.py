"""A buffer of bytes, cut by one regular expression wherever an empty line ends a block."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain

# Atomic: a CR LF is one line end, and is never taken for two when what follows does not fit.
LINE_END = rb"(?>\r\n|\r|\n)"
BLOCK_END = re.compile(LINE_END + LINE_END)
FIELD = re.compile(r"data(?:: ?(?P<value>.*))?", re.DOTALL)
BOM = b"\xef\xbb\xbf"


class StreamError(Exception):
    """The stream did not end as it should."""


class EventParser:
    def __init__(self):
        self._buffer = b""
        self._at_start = True
        self._swallow_lf = False  # the last block ended with a CR, and an LF may be its rest

    def feed(self, received: bytes) -> list[str]:
        if self._swallow_lf and received:
            received, self._swallow_lf = received.removeprefix(b"\n"), False
        self._buffer += received
        if self._at_start:
            if BOM.startswith(self._buffer):
                return []
            self._buffer, self._at_start = self._buffer.removeprefix(BOM), False
        events, begin = [], 0
        for end in BLOCK_END.finditer(self._buffer):
            events += _data_of(self._buffer[begin : end.start()])
            begin = end.end()
        if begin:
            self._swallow_lf = begin == len(self._buffer) and self._buffer.endswith(b"\r")
            self._buffer = self._buffer[begin:]
        return events


def _data_of(block: bytes) -> Iterator[str]:
    """The data of the event in this block, if it has any."""
    lines = re.split("\r\n|\r|\n", block.decode(errors="replace"))
    fields = [field for field in map(FIELD.fullmatch, lines) if field]
    if fields:
        yield "\n".join(field["value"] or "" for field in fields)


def read_answer(reads: Iterable[bytes]) -> str:
    pieces = []
    for data in chain.from_iterable(map(EventParser().feed, reads)):
        if data == "[DONE]":
            return "".join(pieces)
        chunk = json.loads(data)
        if "error" in chunk:
            raise StreamError(chunk["error"]["message"])
        pieces += [choice["delta"].get("content") or "" for choice in chunk["choices"][:1]]
    raise StreamError("the stream broke off before [DONE]")
