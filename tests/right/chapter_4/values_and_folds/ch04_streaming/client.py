"""The standard library knows line ends: io's newline decoder over codecs' character decoder."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterable


class StreamError(Exception):
    """The stream did not end as it should."""


class EventParser:
    def __init__(self):
        self._characters = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._newlines = io.IncrementalNewlineDecoder(None, translate=True)
        self._after_cr = False
        self._text = ""
        self._fields: list[tuple[str, str]] = []

    def feed(self, received: bytes) -> list[str]:
        *lines, self._text = (self._text + self._decode(received)).split("\n")
        events = []
        for line in lines:
            if line:
                name, _, value = line.partition(":")
                self._fields.append((name, value.removeprefix(" ")))
                continue
            data = [value for name, value in self._fields if name == "data"]
            if data:
                events.append("\n".join(data))
            self._fields.clear()
        return events

    def _decode(self, received: bytes) -> str:
        """Text with LF as its only line end. A CR ends a line at once, also as the last byte."""
        text = self._characters.decode(received)
        if text:
            if self._after_cr:
                text = text.removeprefix("\n")
            self._after_cr = text.endswith("\r")
        return self._newlines.decode(text, final=True)


def read_answer(reads: Iterable[bytes]) -> str:
    parser = EventParser()
    events = [data for received in reads for data in parser.feed(received)]
    done = events.index("[DONE]") if "[DONE]" in events else None
    chunks = [json.loads(data) for data in events[:done]]
    for chunk in chunks:
        if "error" in chunk:
            raise StreamError(chunk["error"]["message"])
    if done is None:
        raise StreamError("the bytes ended before [DONE] came")
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)
