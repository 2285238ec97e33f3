"""Two machines: bytes to lines, lines to events. Keeps nothing but their states."""

import json
from enum import Enum, auto

LF, CR = 10, 13


class StreamError(ValueError):
    pass


class State(Enum):
    START = auto()
    LINE = auto()
    AFTER_CR = auto()


class EventParser:
    def __init__(self):
        self.state, self.line, self.event = State.START, b"", None

    def feed(self, received):
        found = []
        for byte in received:
            if byte == LF and self.state is State.AFTER_CR:
                self.state = State.LINE
            elif byte in (LF, CR):
                found += self._end_of_line()
                self.state = State.AFTER_CR if byte == CR else State.LINE
            else:
                self.line += bytes((byte,))
                if self.state is State.START and self.line == b"\xef\xbb\xbf":
                    self.line, self.state = b"", State.LINE
                elif self.state is State.AFTER_CR:
                    self.state = State.LINE
        return found

    def _end_of_line(self):
        line, self.line = self.line, b""
        if not line:
            event, self.event = self.event, None
            return [] if event is None else [event]
        field, colon, value = line.partition(b":")
        if field == b"data":
            value = value[1:] if value.startswith(b" ") else value
            value = value.decode("utf-8", "replace")
            self.event = value if self.event is None else f"{self.event}\n{value}"
        return []


def read_answer(reads):
    parser, text, ended = EventParser(), [], False
    for read in reads:
        for data in parser.feed(read):
            if ended:
                continue
            if data == "[DONE]":
                ended = True
                continue
            chunk = json.loads(data)
            error = chunk.get("error")
            if error:
                raise StreamError(error["message"])
            for choice in chunk.get("choices", []):
                text.append(choice.get("delta", {}).get("content") or "")
    if not ended:
        raise StreamError("truncated")
    return "".join(text)
