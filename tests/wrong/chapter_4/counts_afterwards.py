"""Counts the tokens once the chunk is made.

misunderstood: the order makes no difference
seen in: an ordinary slip
task: 4.3
check: test_usage_so_far
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    events = _of_reply(chunks, replace(reply, tokens=0))
    chunks.tokens += reply.tokens
    return events
