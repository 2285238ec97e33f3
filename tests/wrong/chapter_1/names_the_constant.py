"""Names the module's LIMIT and not the limit that was passed (1048576 holds a 10).

misunderstood: there is one limit
seen in: an ordinary slip
task: 1.1
check: test_limit
"""

_read = read_body


async def read_body(receive, limit=LIMIT):
    try:
        return await _read(receive, limit)
    except ApiError:
        raise ApiError(413, f"the body is larger than {LIMIT} bytes") from None
