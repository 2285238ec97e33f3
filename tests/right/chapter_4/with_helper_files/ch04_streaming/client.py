"""Lines come from a helper file; here they become events."""

import json

from .lines import Lines


class StreamError(Exception):
    def __init__(self, message="the stream ended too soon"):
        super().__init__(message)


class EventParser:
    def __init__(self):
        self.lines = Lines()
        self.fields = []

    def feed(self, received):
        events = []
        for line in self.lines.feed(received):
            if line:
                name, _, value = line.partition(":")
                self.fields.append((name, value[value.startswith(" ") :]))
                continue
            data = [value for name, value in self.fields if name == "data"]
            self.fields = []
            events.extend(["\n".join(data)] if data else [])
        return tuple(events)


def read_answer(reads):
    text, parser = "", EventParser()
    iterator = iter(reads)
    while True:
        try:
            received = next(iterator)
        except StopIteration:
            raise StreamError() from None
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if "error" in chunk:
                raise StreamError(chunk["error"]["message"])
            choice = (chunk["choices"] or [{"delta": {}}])[0]
            text += choice["delta"].get("content", "") or ""
