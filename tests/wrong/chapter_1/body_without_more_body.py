"""Takes both keys or none to be there.

misunderstood: ASGI leaves out both keys or neither
seen in: an ordinary slip
task: 1.1
check: test_missing_keys
"""


async def read_body(receive, limit=LIMIT):
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        if "body" not in message:
            return body
        body += message["body"]
        if len(body) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
        if not message["more_body"]:
            return body
