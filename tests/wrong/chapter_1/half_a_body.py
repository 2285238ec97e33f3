"""Takes a disconnect for an empty last piece.

misunderstood: every message that `receive` returns is a piece of the body
seen in: an ordinary slip
task: 1.1
check: test_client_leaves
"""


async def read_body(receive, limit=LIMIT):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
    return body
