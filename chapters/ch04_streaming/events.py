"""Task 4.3: replies as server-sent events, in OpenAI's chunks.

An event is a line `data: …` and an empty line after it. `[DONE]` is this API's way to say that
the end was meant; it is no part of server-sent events.

Source: WHATWG HTML, "Server-sent events"; OpenAI's API reference, "The chat completion chunk
object".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chapters.core import CHAT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"


def event(data: dict) -> bytes:
    """One event that carries this object as JSON, on one line and in ASCII: `data: `, the JSON, a
    line end; and then an empty line, without which no client takes the event for ended.

    ASCII, with JSON's escapes for all other characters, since some clients take one such as
    U+2028 for the end of a line.
    """
    raise NotImplementedError("Task 4.3: events and chunks")


def opening(chunks: Chunks) -> bytes:
    """What comes before any text. For CHAT, a chunk whose delta is {"role": "assistant",
    "content": ""}; for TEXT, nothing: b"".

    chunks (given): `chunks.endpoint`; `chunks.chunk(said, reason=None)` makes the event of one
    chunk, where `said` is {"delta": {…}} for CHAT and {"text": …} for TEXT; `chunks.text(text)`
    makes the event for a piece of text; `chunks.usage()` makes the event with the whole usage.
    """
    raise NotImplementedError("Task 4.3: events and chunks")


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    """The events of one reply, joined; perhaps none: b"".

    First, in any case, also with an error, `chunks.tokens` grows by the reply's tokens: counts
    are made from it. Then:
        an event for its text, if it has any;
        if it has a finish reason, a chunk that says nothing ({"delta": {}} for CHAT,
        {"text": ""} for TEXT) with that reason.
    If it has an error: one event with `ApiError.of(error).body()` and nothing else, since the
    status, 200, has left long ago.
    """
    raise NotImplementedError("Task 4.3: events and chunks")


def closing(chunks: Chunks, last: Reply) -> bytes:
    """What comes after the events of the last reply, which is `last`.

    The usage, if `chunks.checked.include_usage` is true and `last` has no error. Then `DONE`, in
    any case.
    """
    raise NotImplementedError("Task 4.3: events and chunks")
