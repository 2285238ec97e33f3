"""Reads `message["body"]`.

misunderstood: ASGI sends every key in every message
seen in: an ordinary slip
task: 1.1
check: test_missing_keys
"""


async def read_body(receive, limit=LIMIT):
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body, more = body + message["body"], message["more_body"]
        if len(body) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
    return body
