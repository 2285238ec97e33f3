"""Looks at the size before it asks for more, and not after the last piece.

misunderstood: the size matters only while more is to come
seen in: an ordinary slip
task: 1.1
check: test_limit
"""


async def read_body(receive, limit=LIMIT):
    body, more = b"", True
    while more:
        if len(body) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body
