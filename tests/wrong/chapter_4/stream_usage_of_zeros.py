"""Counts no tokens.

misunderstood: usage is there for the shape
seen in: mini-sglang#126
task: 4.3
check: test_usage
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, tokens=0))
