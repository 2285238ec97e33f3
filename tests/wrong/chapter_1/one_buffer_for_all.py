"""Collects the pieces of all requests in one buffer of the module.

misunderstood: a buffer that is emptied first can be shared
seen in: an ordinary slip
task: 1.1
check: test_two_requests_at_once
"""

_buffer = bytearray()


async def read_body(receive, limit=LIMIT):
    _buffer.clear()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        _buffer.extend(message.get("body", b""))
        if len(_buffer) > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
        if not message.get("more_body", False):
            return bytes(_buffer)
