"""Calls every failure a server error.

misunderstood: what fails after the status is the server's fault
seen in: an ordinary slip
task: 4.3
check: test_a_failure_on_the_way
"""

_of_reply = of_reply


def of_reply(chunks, reply):
    if reply.error:
        return event(ApiError(500, reply.error.message, reply.error.param).body())
    return _of_reply(chunks, reply)
