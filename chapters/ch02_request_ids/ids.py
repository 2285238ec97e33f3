"""Task 2.1: two ids. Ours names the work inside; the client's is only handed back.

A client may send `X-Request-Id` to find its request in our log. It is the client's word: two
clients may choose the same one, so it never decides to whom anything belongs.
"""

from __future__ import annotations

import uuid

from starlette.responses import JSONResponse

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128


def new_uid() -> str:
    """A name for one request's work, as text: never given twice, in any process on any machine."""
    raise NotImplementedError("Task 2.1: two ids")


def client_id(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that this request's response carries in `X-Request-Id`.

    headers: ASGI's, (name in lower case, value) in bytes. The client's value is returned as it
    is; where the header is absent or empty, a new one is made.

    Raises ApiError 400, param "X-Request-Id", for a value of over `LONGEST` characters or with
    anything but printable ASCII: a line break in it would let a client write our log's lines.
    """
    raise NotImplementedError("Task 2.1: two ids")


class EchoRequestId:
    """An ASGI layer around the whole app: every response carries its request's id."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        """Serve one request through `self.app`, adding `X-Request-Id` to the response's headers.

        A refused id becomes the ApiError's response, and the app is not called. What is no HTTP
        request (scope["type"] is "lifespan", say) passes through untouched. The message that
        starts a response is {"type": "http.response.start", "headers": [(name, value)], …}.
        """
        raise NotImplementedError("Task 2.1: two ids")
