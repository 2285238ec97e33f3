"""Task 4.4: a client's side: events out of bytes, however the network has cut them.

A read returns what has arrived: half an event, three events, half a character. Only an empty
line ends an event.

Source: WHATWG HTML, "Server-sent events", 9.2.5 and 9.2.6.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable


class StreamError(Exception):
    """The stream did not end as it should: the text so far is not the whole answer."""


class EventParser:
    """Bytes in, the data of whole events out."""

    def __init__(self):
        # BEGIN SOLUTION
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.rest = ""  # a line that has not ended yet
        self.after_cr = False  # an LF that comes now belongs to the CR before it
        self.data: list[str] = []  # the data lines of an event that has not ended yet
        # END SOLUTION

    def feed(self, received: bytes) -> list[str]:
        """Take what one read returned; the data of each event that it completed, in order.

        The bytes are UTF-8; those that are not become U+FFFD. A byte order mark at the very
        beginning is skipped. A line ends with LF, CR LF or CR, and with nothing else. A CR ends
        it at once, also as a read's last byte; an LF right after it, perhaps in the next read,
        belongs to the same end. A line is a field's name, a colon and its value; one space after
        the colon, if there is one, is not part of the value. A line without a colon is a name
        with the value "". Several `data` lines of an event are joined by LF. Other fields, and
        lines that begin with a colon, are skipped. An empty line ends an event; one without a
        `data` line is none. What has not ended yet, a character, a line or an event, waits for
        the next call.
        """
        # BEGIN SOLUTION
        text, events = self.decoder.decode(received), []
        if text:
            rest = text.removeprefix("\n") if self.after_cr else text
            self.after_cr = text.endswith("\r")
            *lines, self.rest = re.split(r"\r\n|\n|\r", self.rest + rest)
            for line in lines:
                if line:
                    self._line(line)
                elif self.data:
                    events.append("\n".join(self.data))
                    self.data = []
        return events
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

    reads: what each read of the network returned, perhaps nothing (b""), to the end of the
        response. Each event's data is a chunk, as JSON, up to the event `[DONE]`; what comes
        after it is no part of the answer, and may be left unread. The pieces of text are in the
        chunks' `choices[0].delta.content`; `choices` may be an empty list, and a delta may have
        no content, or null there.

    Raises StreamError if the data is {"error": {"message": …}} instead, with that message in its
        text (other words may stand around it); and, with a text that says so, if the bytes end
        before `[DONE]` came: a connection that broke looks just like an end.
    """
    # BEGIN SOLUTION
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if chunk.get("error"):
                raise StreamError(chunk["error"]["message"])
            if chunk.get("choices"):
                text += chunk["choices"][0]["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
    # END SOLUTION
