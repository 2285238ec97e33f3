"""Sends the finish reason in the place of the last text.

misunderstood: the last reply has no text
seen in: an ordinary slip
task: 4.3
check: test_the_last_reply
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, text="" if reply.finish_reason else reply.text))
