"""Counts the tokens of replies that have text.

misunderstood: a token without text costs nothing
seen in: an ordinary slip
task: 4.3
check: test_a_reply_with_text
"""

_of_reply = of_reply


def of_reply(chunks, reply):
    before = chunks.tokens
    events = _of_reply(chunks, reply)
    chunks.tokens = before + (1 if reply.text else 0)
    return events
