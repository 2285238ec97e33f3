"""Ends the stream without a word when something failed.

misunderstood: a connection that ends says enough
seen in: litellm#39748
task: 4.3
check: test_a_failure_on_the_way
"""

_of_reply, _closing = of_reply, closing


def of_reply(chunks, reply):
    return b"" if reply.error else _of_reply(chunks, reply)


def closing(chunks, last):
    return b"" if last.error else _closing(chunks, last)
