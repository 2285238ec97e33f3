"""Decodes each piece and returns a string.

misunderstood: a piece of bytes is a piece of text (a character may be cut in two)
seen in: an ordinary slip
task: 1.1
check: test_one_piece
"""

_read = read_body


async def read_body(receive, limit=LIMIT):
    return (await _read(receive, limit)).decode()
