"""A state machine that takes one byte at a time; text is decoded line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable

LF, CR = b"\n\r"
BOM = b"\xef\xbb\xbf"


class StreamError(Exception):
    """The stream did not end as it should."""


class EventParser:
    def __init__(self):
        self._line = bytearray()
        self._data: list[str] = []
        self._first = True  # the line is the first of the stream
        self._after_cr = False  # an LF now belongs to a line end that was seen

    def feed(self, received: bytes) -> list[str]:
        events = []
        for byte in received:
            second_half, self._after_cr = self._after_cr and byte == LF, byte == CR
            if second_half:
                continue
            if byte not in (LF, CR):
                self._line.append(byte)
                continue
            line = bytes(self._line)
            self._line.clear()
            if self._first:
                line, self._first = line.removeprefix(BOM), False
            if line:
                self._field(line.decode(errors="replace"))
            elif self._data:
                events.append("\n".join(self._data))
                self._data = []
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))


def read_answer(reads: Iterable[bytes]) -> str:
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            match json.loads(data):
                case {"error": {"message": message}}:
                    raise StreamError(message)
                case {"choices": [{"delta": {"content": str(piece)}}, *_]}:
                    text += piece
    raise StreamError("the connection ended before [DONE]: the answer is not whole")
