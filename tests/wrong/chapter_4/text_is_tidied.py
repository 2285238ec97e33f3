"""Strips the text of every chunk.

misunderstood: white space at the ends of a text means nothing
seen in: mlx-lm#1754
task: 4.3
check: test_a_reply_with_text
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, text=reply.text.strip()))
