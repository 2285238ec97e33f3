"""Has no limit by default.

misunderstood: whoever wants a limit passes one (the handler passes none)
seen in: an ordinary slip
task: 1.1
check: test_limit_when_none_is_given
"""

_read = read_body


async def read_body(receive, limit=None):
    return await _read(receive, float("inf") if limit is None else limit)
