"""What a chunk says is built in one place, for the opening, the text and the end alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chapters.core import CHAT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"


def event(data: dict) -> bytes:
    return b"".join([b"data: ", json.dumps(data, separators=(",", ": ")).encode(), b"\n\n"])


def said(chunks: Chunks, text: str | None = None, **more: str) -> dict:
    """What a chunk says; without a text, a text completion still has an empty one."""
    if chunks.endpoint != CHAT:
        return {"text": text or ""}
    return {"delta": more if text is None else {**more, "content": text}}


def opening(chunks: Chunks) -> bytes:
    return chunks.chunk(said(chunks, "", role="assistant")) if chunks.endpoint == CHAT else b""


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    chunks.tokens += reply.tokens
    if reply.error is not None:
        return event(ApiError.of(reply.error).body())
    events = b""
    if reply.text:
        events += chunks.chunk(said(chunks, reply.text))
    if reply.finish_reason is not None:
        events += chunks.chunk(said(chunks), reason=reply.finish_reason)
    return events


def closing(chunks: Chunks, last: Reply) -> bytes:
    if last.error is not None or not chunks.checked.include_usage:
        return DONE
    return chunks.usage() + DONE
