"""Task 4.4: a client's side: events out of bytes, however the network has cut them.

A read returns what has arrived: half an event, three events, half a character. Only an empty
line ends an event.

Source: WHATWG HTML, "Server-sent events", 9.2.5 and 9.2.6.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable


class StreamError(Exception):
    """The stream did not end as it should: the text so far is not the whole answer."""


class EventParser:
    """Bytes in, the data of whole events out."""

    def __init__(self):
        # BEGIN SOLUTION
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.rest = ""  # a line that has not ended yet
        self.data: list[str] = []  # the data lines of an event that has not ended yet
        # END SOLUTION

    def feed(self, received: bytes) -> list[str]:
        """Take what one read returned; the data of each event that it completed, in order.

        The bytes are UTF-8; a byte order mark at the very beginning is skipped. A line ends
        with LF, CR LF or CR. A line is a field's name, a colon, and its value, without one
        space after the colon, if there is one. Several `data` lines of an event are joined by
        LF. Other fields, and lines that begin with a colon, are skipped. An empty line ends an
        event; one without a `data` line is none. What is not ended yet waits for more.
        """
        # BEGIN SOLUTION
        text = self.rest + self.decoder.decode(received)
        events = []
        while True:
            at = min((i for i in (text.find("\n"), text.find("\r")) if i >= 0), default=-1)
            if at < 0 or text[at:] == "\r":  # the LF of a CR LF may be still to come
                self.rest = text
                return events
            line, text = text[:at], text[at + (2 if text.startswith("\r\n", at) else 1) :]
            if line:
                self._line(line)
            elif self.data:
                events.append("\n".join(self.data))
                self.data = []
        # END SOLUTION

    def _line(self, line: str) -> None:
        """One line of an event that is not empty."""
        # BEGIN SOLUTION
        name, _, value = line.partition(":")
        if name == "data":
            self.data.append(value.removeprefix(" "))
        # END SOLUTION


def read_answer(reads: Iterable[bytes]) -> str:
    """The whole text of a streamed chat answer.

    reads: what each read of the network returned, to the end of the response. The pieces of
    text are in `choices[0].delta.content` of the chunks; a chunk may have no choices, a delta
    no content, or null there.

    Raises StreamError if an event holds {"error": {"message": …}}, with that message, and if
    the bytes end before `[DONE]` came: a connection that broke looks just like an end.
    """
    # BEGIN SOLUTION
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if "error" in chunk:
                raise StreamError(chunk["error"]["message"])
            for choice in chunk["choices"]:
                text += choice["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
    # END SOLUTION
