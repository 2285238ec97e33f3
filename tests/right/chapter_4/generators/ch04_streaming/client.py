"""A coroutine of the old kind: it is sent characters, one after the other."""

import codecs
import json


class StreamError(Exception):
    """The answer is not whole."""


def _characters(found):
    line, data, name_is_data = "", [], False
    before = ""
    while True:
        character = yield
        if character == "\n" and before == "\r":
            before = character
            continue
        before = character
        if character not in "\r\n":
            line += character
            continue
        if not line and data:
            found.append("\n".join(data))
        if not line:
            data = []
        elif line == "data":
            data.append("")
        elif line.startswith("data: "):
            data.append(line[6:])
        elif line.startswith("data:"):
            data.append(line[5:])
        line = ""


class EventParser:
    def __init__(self):
        self._found = []
        self._machine = _characters(self._found)
        next(self._machine)
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = False

    def feed(self, received):
        for character in self._text.decode(received):
            if self._begun or character != "\ufeff":
                self._machine.send(character)
            self._begun = True
        events = self._found[:]
        self._found.clear()
        return events


def _events(reads):
    parser = EventParser()
    for read in reads:
        yield from parser.feed(read)


def _pieces(reads):
    for data in _events(reads):
        if data == "[DONE]":
            return
        chunk = json.loads(data)
        if "error" in chunk:
            raise StreamError(chunk["error"]["message"])
        for choice in chunk["choices"][:1]:
            yield choice["delta"].get("content") or ""
    raise StreamError("no [DONE]: the connection broke off")


def read_answer(reads):
    return "".join(_pieces(reads))
