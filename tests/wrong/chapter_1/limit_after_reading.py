"""Reads everything and then looks how much it was.

misunderstood: a limit is checked once the body is there
seen in: an ordinary slip
task: 1.1
check: test_limit
"""

_read_all = read_body


async def read_body(receive, limit=LIMIT):
    body = await _read_all(receive, 10**12)
    if len(body) > limit:
        raise ApiError(413, f"the body is larger than {limit} bytes")
    return body
