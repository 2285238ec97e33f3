"""Sends no event for text of white space only.

misunderstood: there is nothing to see in it
seen in: mlx-lm#1754
task: 4.3
check: test_a_reply_with_text
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, reply if reply.text.strip() else replace(reply, text=""))
