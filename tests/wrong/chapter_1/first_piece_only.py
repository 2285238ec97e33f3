"""Takes the first piece for the whole body.

misunderstood: a request arrives in one piece
seen in: an ordinary slip
task: 1.1
check: test_many_pieces
"""


async def read_body(receive, limit=LIMIT):
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    body = message.get("body", b"")
    if len(body) > limit:
        raise ApiError(413, f"the body is larger than {limit} bytes")
    return body
