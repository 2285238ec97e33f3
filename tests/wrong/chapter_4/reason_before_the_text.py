"""Sends the finish reason before the last text.

misunderstood: the order of a reply's events makes no difference
seen in: an ordinary slip
task: 4.3
check: test_the_last_reply
"""


def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    if reply.error:
        return event(ApiError.of(reply.error).body())
    events = b""
    if reply.finish_reason:
        nothing = {"delta": {}} if chunks.endpoint is CHAT else {"text": ""}
        events += chunks.chunk(nothing, reply.finish_reason)
    return events + (chunks.text(reply.text) if reply.text else b"")
