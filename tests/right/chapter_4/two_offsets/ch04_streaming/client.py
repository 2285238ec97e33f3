"""Works on bytes: a line is decoded once it is whole, so characters are never cut."""

import json


class StreamError(Exception):
    pass


class EventParser:
    def __init__(self):
        self.buffer = bytearray()
        self.lines = []
        self.first = True
        self.after_cr = False

    def feed(self, received):
        if received and self.after_cr:
            received, self.after_cr = received.removeprefix(b"\n"), False
        self.buffer += received
        events = []
        while (line := self._next_line()) is not None:
            if line == "":
                data = [self._value(known) for known in self.lines if self._name(known) == "data"]
                if data:
                    events.append("\n".join(data))
                self.lines.clear()
            else:
                self.lines.append(line)
        return events

    def _next_line(self):
        for place, byte in enumerate(self.buffer):
            if byte == 10:
                return self._cut(place, place + 1)
            if byte == 13:
                if place + 1 == len(self.buffer):
                    self.after_cr = True  # an LF may follow
                    return self._cut(place, place + 1)
                return self._cut(place, place + (2 if self.buffer[place + 1] == 10 else 1))
        return None

    def _cut(self, end, next_line):
        line = self.buffer[:end].decode("utf-8", "replace")
        del self.buffer[:next_line]
        if self.first:
            line = line.removeprefix("\ufeff")
        self.first = False
        return line

    @staticmethod
    def _name(line):
        return line.split(":", 1)[0]

    @staticmethod
    def _value(line):
        value = line.split(":", 1)[1] if ":" in line else ""
        return value[1:] if value[:1] == " " else value


def read_answer(reads):
    parser = EventParser()
    pieces = []
    for read in reads:
        for data in parser.feed(read):
            if data == "[DONE]":
                return "".join(pieces)
            match json.loads(data):
                case {"error": {"message": message}}:
                    raise StreamError(message)
                case {"choices": [{"delta": {"content": str(content)}}, *_]}:
                    pieces.append(content)
    raise StreamError("cut off")
