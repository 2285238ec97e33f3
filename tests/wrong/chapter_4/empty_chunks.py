"""Sends a chunk for each token, with text or without.

misunderstood: a token is an event
seen in: an ordinary slip
task: 4.3
check: test_a_reply_with_text
"""


def of_reply(chunks, reply):
    chunks.tokens += reply.tokens
    if reply.error:
        return event(ApiError.of(reply.error).body())
    events = chunks.text(reply.text)
    if reply.finish_reason:
        nothing = {"delta": {}} if chunks.endpoint is CHAT else {"text": ""}
        events += chunks.chunk(nothing, reply.finish_reason)
    return events
