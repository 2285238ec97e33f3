"""Says "stop" whatever ended the answer.

misunderstood: the finish reason says that it is finished
seen in: mini-sglang#126
task: 4.3
check: test_the_last_reply
"""

from dataclasses import replace

_of_reply = of_reply


def of_reply(chunks, reply):
    return _of_reply(chunks, replace(reply, finish_reason=reply.finish_reason and "stop"))
