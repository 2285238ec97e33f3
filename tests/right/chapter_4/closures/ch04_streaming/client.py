"""Keeps the bytes of one event and parses it when its end has come."""

import json
import re

END_OF_EVENT = re.compile(rb"(\r\n|\n|\r(?!\n)){2}")
END_OF_LINE = re.compile(rb"\r\n|\n|\r")
MARK = b"\xef\xbb\xbf"


class StreamError(RuntimeError):
    """Not the whole answer."""


class EventParser:
    def __init__(self):
        self.bytes = b""
        self.begun = False
        self.half = b""  # an LF, while one would be the second half of the last line end

    def feed(self, received):
        if received:
            received, self.half = received.removeprefix(self.half), b""
        self.bytes += received
        if not self.begun and len(self.bytes) < 3 and MARK.startswith(self.bytes):
            return []
        if not self.begun:
            self.bytes, self.begun = b"\n" + self.bytes.removeprefix(MARK), True
        events = []
        while end := END_OF_EVENT.search(self.bytes):
            block, rest = self.bytes[: end.start()], self.bytes[end.end() :]
            self.half = b"\n" if end[0].endswith(b"\r") and not rest else b""
            self.bytes = b"\n" + rest
            events += data_of(block)
        return events


def data_of(block):
    values = []
    for line in END_OF_LINE.split(block):
        if line == b"data" or line.startswith(b"data:"):
            value = line[5:].decode("utf-8", "replace")
            values.append(value[1:] if value.startswith(" ") else value)
    return ["\n".join(values)] if values else []


def read_answer(reads):
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if set(chunk) == {"error"}:
                raise StreamError(chunk["error"]["message"])
            if len(chunk["choices"]) > 0 and chunk["choices"][0]["delta"].get("content"):
                text = text + chunk["choices"][0]["delta"]["content"]
    raise StreamError("the end is missing")
