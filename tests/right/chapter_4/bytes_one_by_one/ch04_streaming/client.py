"""The parser is a machine over bytes; read_answer relies on every field that a chunk has."""

import json


class StreamError(Exception):
    pass


class EventParser:
    """A machine over bytes."""

    def __init__(self):
        self.line, self.data, self.cr, self.first = bytearray(), [], False, True

    def feed(self, received):
        out = []
        for byte in received:
            if byte == 10 and self.cr:
                self.cr = False
                continue
            self.cr = byte == 13
            if byte in (10, 13):
                out += self._end()
            else:
                self.line.append(byte)
        return out

    def _end(self):
        line = bytes(self.line)
        self.line.clear()
        if self.first:
            line = line.removeprefix(b"\xef\xbb\xbf")
            self.first = False
        if not line:
            data, self.data = self.data, []
            return ["\n".join(data)] if data else []
        name, _, value = line.partition(b":")
        if name == b"data":
            self.data.append((value[1:] if value[:1] == b" " else value).decode("utf-8", "replace"))
        return []


def read_answer(reads):
    parser, pieces, ended = EventParser(), [], False

    def events():
        for read in reads:
            yield from parser.feed(read)

    for data in events():
        if data == "[DONE]":
            return "".join(pieces)
        chunk = json.loads(data)
        if "error" in chunk:
            raise StreamError(f"server: {chunk['error']['message']}")
        for choice in chunk["choices"][:1]:
            pieces.append(choice["delta"].get("content") or "")
            ended = choice["finish_reason"] is not None
    raise StreamError(f"closed early, {'after' if ended else 'before'} the finish reason")
