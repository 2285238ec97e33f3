"""One compact JSON encoder, and for each reply a list of events that is joined at the end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chapters.core import CHAT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"
COMPACT = json.JSONEncoder(separators=(",", ":"))


def event(data: dict) -> bytes:
    return f"data: {COMPACT.encode(data)}\n\n".encode("ascii")


def opening(chunks: Chunks) -> bytes:
    if chunks.endpoint is CHAT:
        return chunks.chunk({"delta": {"role": "assistant", "content": ""}})
    return b""


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    chunks.tokens += reply.tokens
    if reply.error is not None:
        return event(ApiError.of(reply.error).body())
    events = []
    if reply.text:
        events.append(chunks.text(reply.text))
    if reply.finish_reason is not None:
        nothing = {"delta": {}} if chunks.endpoint is CHAT else {"text": ""}
        events.append(chunks.chunk(nothing, reason=reply.finish_reason))
    return b"".join(events)


def closing(chunks: Chunks, last: Reply) -> bytes:
    if chunks.checked.include_usage and last.error is None:
        return chunks.usage() + DONE
    return DONE
