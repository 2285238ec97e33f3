"""JSON is written as it is, and every character beyond ASCII is escaped afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from chapters.core import CHAT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"
BEYOND = re.compile("[^\x00-\x7e]")  # they stand in strings only, where JSON lets them be escaped


def _escape(found: re.Match[str]) -> str:
    """One character as one or two UTF-16 units."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex().upper()}" for at in range(0, len(units), 2))


def event(data: dict) -> bytes:
    line = BEYOND.sub(_escape, json.dumps(data, ensure_ascii=False))
    return b"data: " + line.encode("ascii") + b"\n\n"


def opening(chunks: Chunks) -> bytes:
    if chunks.endpoint is not CHAT:
        return b""
    return chunks.chunk({"delta": {"role": "assistant", "content": ""}})


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    chunks.tokens += reply.tokens
    return b"".join(_events(chunks, reply))


def _events(chunks: Chunks, reply: Reply) -> Iterator[bytes]:
    if reply.error:
        yield event(ApiError.of(reply.error).body())
        return
    if reply.text:
        yield chunks.text(reply.text)
    if reply.finish_reason:
        said = {"delta": {}} if chunks.endpoint is CHAT else {"text": ""}
        yield chunks.chunk(said, reply.finish_reason)


def closing(chunks: Chunks, last: Reply) -> bytes:
    parts = [DONE]
    if chunks.checked.include_usage and not last.error:
        parts.insert(0, chunks.usage())
    return b"".join(parts)
