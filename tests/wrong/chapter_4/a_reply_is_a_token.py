"""Counts replies.

misunderstood: each reply is one token
seen in: an ordinary slip
task: 4.3
check: test_a_reply_with_text
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, tokens=1))
