"""Each function joins what a generator yields."""

import functools
import json

from chapters.core import CHAT, ApiError

DONE = b"data: [DONE]\n\n"


def joined(make):
    @functools.wraps(make)
    def call(*arguments):
        return b"".join(make(*arguments))

    return call


def event(data):
    return b"data: %b\n\n" % json.dumps(data, ensure_ascii=True).encode()


@joined
def opening(chunks):
    if chunks.endpoint is CHAT:
        yield chunks.chunk({"delta": {"role": "assistant", "content": ""}})


@joined
def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    if reply.error:
        yield event(ApiError.of(reply.error).body())
        return
    if reply.text:
        yield chunks.text(reply.text)
    if reply.finish_reason:
        yield chunks.chunk(
            {"delta": {}} if chunks.endpoint is CHAT else {"text": ""}, reply.finish_reason
        )


@joined
def closing(chunks, last):
    if chunks.checked.include_usage and not last.error:
        yield chunks.usage()
    yield DONE
