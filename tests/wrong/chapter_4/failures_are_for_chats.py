"""Tells of an error at the chat endpoint only.

misunderstood: a plain completion has no events but its text
seen in: litellm#39748
task: 4.3
check: test_a_failure_on_the_way
"""

_of_reply = of_reply


def of_reply(chunks, reply):
    if not reply.error or chunks.endpoint is CHAT:
        return _of_reply(chunks, reply)
    chunks.tokens += reply.tokens
    return chunks.chunk({"text": ""}, "stop")
