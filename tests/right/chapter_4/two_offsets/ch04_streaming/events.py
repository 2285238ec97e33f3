"""Events as lists of lines."""

import json

from chapters.core import TEXT, ApiError

DONE = b"data: [DONE]\n\n"


def event(data):
    lines = ["data: " + json.dumps(data), "", ""]
    return "\n".join(lines).encode("ascii")


def opening(chunks):
    if chunks.endpoint == TEXT:
        return b""
    return chunks.chunk(dict(delta=dict(content="", role="assistant")))


def of_reply(chunks, reply):
    chunks.tokens = chunks.tokens + reply.tokens
    out = []
    if reply.error is not None:
        out.append(event(ApiError.of(reply.error).body()))
    else:
        if reply.text != "":
            out.append(chunks.text(reply.text))
        if reply.last:
            empty = {"text": ""} if chunks.endpoint == TEXT else {"delta": {}}
            out.append(chunks.chunk(empty, reason=reply.finish_reason))
    return b"".join(out)


def closing(chunks, last):
    out = [DONE]
    if last.error is None and chunks.checked.include_usage:
        out.insert(0, chunks.usage())
    return b"".join(out)
