"""Task 1.1: read the body of a request.

Knows ASGI's messages and nothing of JSON: bytes arrive in pieces, and a piece is not a body.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from chapters.core import ApiError, ClientGone

LIMIT = 1024 * 1024  # bytes; a long conversation is a few hundred thousand


async def read_body(receive: Callable[[], Awaitable[dict]], limit: int = LIMIT) -> bytes:
    """All bytes of one request's body.

    receive: ASGI's; each call waits for the next message and returns it. A message is either
        {"type": "http.request", "body": bytes, "more_body": bool}: the next piece, which may
        be empty; both keys may be missing, which means b"" and False; or
        {"type": "http.disconnect"}: the client has left.
    limit: most bytes to accept; a body of exactly this many is fine.

    Returns the pieces joined, in order. Calls `receive` no more once the last piece is there.
    Raises ApiError with status 413, naming the limit, as soon as the pieces exceed it: the
        rest is not read.
    Raises ClientGone if the client leaves before the last piece: half a body is no body.

    Source: ASGI, "HTTP & WebSocket message format"; RFC 9110, 15.5.14 for status 413.
    """
    raise NotImplementedError("Task 1.1: read the body of a request")


# my version
async def read_body(receive: Callable[[], Awaitable[dict]], limit: int = LIMIT) -> bytes:
    """All bytes of one request's body.

    receive: ASGI's; each call waits for the next message and returns it. A message is either
        {"type": "http.request", "body": bytes, "more_body": bool}: the next piece, which may
        be empty; both keys may be missing, which means b"" and False; or
        {"type": "http.disconnect"}: the client has left.
    limit: most bytes to accept; a body of exactly this many is fine.

    Returns the pieces joined, in order. Calls `receive` no more once the last piece is there.
    Raises ApiError with status 413, naming the limit, as soon as the pieces exceed it: the
        rest is not read.
    Raises ClientGone if the client leaves before the last piece: half a body is no body.

    Source: ASGI, "HTTP & WebSocket message format"; RFC 9110, 15.5.14 for status 413.
    """
    # BEGIN SOLUTION
    pieces, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        piece, more = message.get("body", b""), message.get("more_body", False)
        size += len(piece)
        if size > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes, the most taken here")
        pieces.append(piece)
    return b"".join(pieces)
    # END SOLUTION
