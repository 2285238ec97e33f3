"""Looks for a disconnect only from the second message on.

misunderstood: a request begins with a piece
seen in: an ordinary slip
task: 1.1
check: test_client_leaves
"""


async def read_body(receive, limit=LIMIT):
    message = await receive()
    body = message.get("body", b"")
    while message.get("more_body") and len(body) <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
    if len(body) > limit:
        raise ApiError(413, f"the body is larger than {limit} bytes")
    return body
