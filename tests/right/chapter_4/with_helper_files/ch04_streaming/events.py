"""Only what is said is here; how it is written is in a helper file."""

from chapters.core import CHAT, ApiError

from .wire import line

DONE = b"data: [DONE]\n\n"


def event(data):
    return bytes(line(data), "ascii")


def opening(chunks):
    role = {"role": "assistant", "content": ""}
    return chunks.chunk({"delta": role}) if chunks.endpoint is CHAT else b""


def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    if reply.error is not None:
        return event(ApiError.of(reply.error).body())
    key = "delta" if chunks.endpoint is CHAT else "text"
    result = bytearray()
    if len(reply.text):
        result += chunks.text(reply.text)
    if reply.finish_reason is not None:
        result += chunks.chunk({key: {} if key == "delta" else ""}, reply.finish_reason)
    return bytes(result)


def closing(chunks, last):
    wanted = chunks.checked.include_usage
    return DONE if last.error or not wanted else b"".join((chunks.usage(), DONE))
