"""Counts no tokens of a reply with an error.

misunderstood: what failed has cost nothing
seen in: an ordinary slip
task: 4.3
check: test_a_failure_on_the_way
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, tokens=0) if reply.error else reply)
