"""Everything is made by one function that knows how an event looks."""

import json

import chapters.core as core

DONE = b"data: [DONE]\n\n"


def event(data):
    return b"".join((b"data: ", json.dumps(data, sort_keys=True).encode(), b"\n", b"\n"))


def opening(chunks):
    return {
        core.CHAT: lambda: chunks.chunk({"delta": {"role": "assistant", "content": ""}}),
        core.TEXT: lambda: b"",
    }[chunks.endpoint]()


def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    if reply.error:
        return event(core.ApiError.of(reply.error).body())
    text = reply.text and chunks.text(reply.text)
    nothing = {"text": ""} if chunks.endpoint is core.TEXT else {"delta": {}}
    reason = reply.finish_reason and chunks.chunk(nothing, reply.finish_reason)
    return (text or b"") + (reason or b"")


def closing(chunks, last):
    return {True: chunks.usage, False: bytes}[
        bool(chunks.checked.include_usage and not last.error)
    ]() + DONE
