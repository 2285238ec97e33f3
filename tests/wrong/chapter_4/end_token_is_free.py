"""Does not count the end token.

misunderstood: what is not shown was not computed
seen in: an ordinary slip
task: 4.3
check: test_the_last_reply
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    free = reply.finish_reason == "stop" and not reply.text
    return _of_reply(chunks, replace(reply, tokens=0) if free else reply)
