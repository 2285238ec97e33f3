"""Recursion instead of a loop."""

from chapters.core import ApiError, ClientGone

LIMIT = 1024**2


async def read_body(receive, limit=LIMIT, before=b""):
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone()
    body = before + message.get("body", b"")
    if len(body) > limit:
        raise ApiError(413, "at most %d bytes" % limit)
    if message.get("more_body", False):
        return await read_body(receive, limit, body)
    return body
