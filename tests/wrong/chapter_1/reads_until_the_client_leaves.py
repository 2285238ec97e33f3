"""Reads on until the connection says something else than a piece.

misunderstood: the end of the body is the end of the connection
seen in: an ordinary slip
task: 1.1
check: test_stops_at_the_last_piece
"""


async def read_body(receive, limit=LIMIT):
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        body += message.get("body", b"")
        if len(body) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
