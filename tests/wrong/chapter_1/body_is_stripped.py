"""Strips white space off the body.

misunderstood: white space around JSON is noise
seen in: an ordinary slip
task: 1.1
check: test_one_piece
"""

_read = read_body


async def read_body(receive, limit=LIMIT):
    return (await _read(receive, limit)).strip()
