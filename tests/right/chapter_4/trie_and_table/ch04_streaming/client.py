"""Characters first, with codecs' decoder; then lines, with a split; then fields."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator

LINE_END = re.compile("\r\n|\r|\n")


class StreamError(Exception):
    """The stream did not end as it should."""


class EventParser:
    def __init__(self):
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""  # of a line
        self._cr = False  # the last character was a CR: an LF right after it ends nothing
        self._data: list[str] | None = None

    def feed(self, received: bytes) -> list[str]:
        return list(self._events(self._decoder.decode(received)))

    def _events(self, text: str) -> Iterator[str]:
        if not text:
            return
        if self._cr:
            text = text.removeprefix("\n")
        self._cr = text.endswith("\r")
        *lines, self._rest = LINE_END.split(self._rest + text)
        for line in lines:
            if line:
                self._line(line)
            elif self._data is not None:
                yield "\n".join(self._data)
                self._data = None

    def _line(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data = [*(self._data or []), value.removeprefix(" ")]


def read_answer(reads: Iterable[bytes]) -> str:
    return "".join(_pieces(reads))


def _pieces(reads: Iterable[bytes]) -> Iterator[str]:
    parser = EventParser()
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return
            chunk = json.loads(data)
            if "error" in chunk:
                raise StreamError(chunk["error"]["message"])
            if chunk["choices"]:
                yield chunk["choices"][0]["delta"].get("content") or ""
    raise StreamError("the response ended without [DONE]")
