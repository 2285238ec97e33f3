"""Templates: what an endpoint says at the beginning and at the end, in two dictionaries."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING

from chapters.core import CHAT, TEXT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"
HELLO = {CHAT.path: {"delta": {"role": "assistant", "content": ""}}}
SILENCE = {CHAT.path: {"delta": {}}, TEXT.path: {"text": ""}}


def event(data: dict) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode("ascii")


def opening(chunks: Chunks) -> bytes:
    said = HELLO.get(chunks.endpoint.path)
    return chunks.chunk(deepcopy(said)) if said else b""


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    chunks.tokens += reply.tokens
    if reply.error:
        return event(ApiError.of(reply.error).body())
    return _text(chunks, reply.text) + _finish(chunks, reply.finish_reason)


def _text(chunks: Chunks, text: str) -> bytes:
    return chunks.text(text) if text else b""


def _finish(chunks: Chunks, reason: str | None) -> bytes:
    return chunks.chunk(deepcopy(SILENCE[chunks.endpoint.path]), reason) if reason else b""


def closing(chunks: Chunks, last: Reply) -> bytes:
    return _usage(chunks, last) + DONE


def _usage(chunks: Chunks, last: Reply) -> bytes:
    return chunks.usage() if chunks.checked.include_usage and not last.error else b""
