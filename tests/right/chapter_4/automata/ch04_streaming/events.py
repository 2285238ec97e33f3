"""The endpoint's differences are in one table."""

from json import JSONEncoder

from chapters.core import CHAT, TEXT, ApiError

DONE = b"data: [DONE]\n\n"
FIRST = {CHAT: [{"delta": {"role": "assistant", "content": ""}}], TEXT: []}
NOTHING = {CHAT: {"delta": {}}, TEXT: {"text": ""}}
encode = JSONEncoder(separators=(", ", ": ")).encode


def event(data):
    return f"data: {encode(data)}\n\n".encode()


def opening(chunks):
    return b"".join(map(chunks.chunk, FIRST[chunks.endpoint]))


def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    match reply:
        case _ if reply.error:
            return event(ApiError.of(reply.error).body())
        case _ if reply.finish_reason and reply.text:
            end = chunks.chunk(NOTHING[chunks.endpoint], reply.finish_reason)
            return chunks.chunk(says(chunks.endpoint, reply.text)) + end
        case _ if reply.finish_reason:
            return chunks.chunk(NOTHING[chunks.endpoint], reply.finish_reason)
        case _ if reply.text:
            return chunks.chunk(says(chunks.endpoint, reply.text))
    return b""


def says(endpoint, text):
    return {"delta": {"content": text}} if endpoint is CHAT else {"text": text}


def closing(chunks, last):
    if last.error or not chunks.checked.include_usage:
        return DONE
    return chunks.usage() + DONE
