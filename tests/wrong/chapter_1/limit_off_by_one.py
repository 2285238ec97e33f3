"""Refuses a body of exactly the limit.

misunderstood: the limit is the first size that is too large
seen in: an ordinary slip
task: 1.1
check: test_limit
"""

_read = read_body


async def read_body(receive, limit=LIMIT):
    return await _read(receive, limit - 1)
