"""Sends the text of a reply with an error.

misunderstood: what there is should be shown
seen in: an ordinary slip
task: 4.3
check: test_a_failure_on_the_way
"""

_of_reply = of_reply


def of_reply(chunks, reply):
    text = chunks.text(reply.text) if reply.error and reply.text else b""
    return text + _of_reply(chunks, reply)
