"""Each endpoint has a small dialect: how it says a text, and how it says nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chapters.core import CHAT, TEXT, ApiError, Reply

if TYPE_CHECKING:
    from chapters.ch04_streaming.chunks import Chunks

DONE = b"data: [DONE]\n\n"


class Dialect(NamedTuple):
    opening: Callable[[Chunks], bytes]
    nothing: dict


DIALECTS = {
    CHAT: Dialect(
        lambda chunks: chunks.chunk({"delta": {"role": "assistant", "content": ""}}),
        {"delta": {}},
    ),
    TEXT: Dialect(lambda chunks: b"", {"text": ""}),
}


def event(data: dict) -> bytes:
    return b"data: %b\n\n" % json.dumps(data, ensure_ascii=True).encode("ascii")


def opening(chunks: Chunks) -> bytes:
    return DIALECTS[chunks.endpoint].opening(chunks)


def of_reply(chunks: Chunks, reply: Reply) -> bytes:
    chunks.tokens += reply.tokens
    match reply:
        case Reply(error=None):
            said = chunks.text(reply.text) if reply.text else b""
            if reply.finish_reason is None:
                return said
            return said + chunks.chunk(DIALECTS[chunks.endpoint].nothing, reply.finish_reason)
        case Reply(error=failure):
            return event(ApiError.of(failure).body())


def closing(chunks: Chunks, last: Reply) -> bytes:
    wanted = chunks.checked.include_usage and last.error is None
    return (chunks.usage() if wanted else b"") + DONE
