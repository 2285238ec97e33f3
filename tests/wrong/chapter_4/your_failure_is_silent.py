"""Ends the stream as if all were well when something failed.

misunderstood: the client will notice
seen in: litellm#39748
task: 4.5
file: events.py
check: test_your_own_server
"""

_of_reply = of_reply


def of_reply(chunks, reply):
    return b"" if reply.error else _of_reply(chunks, reply)
