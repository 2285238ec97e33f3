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
    """A name for one request's work, as text, that was never given before and never will be.

    Not by another thread, not by another process (also one forked from this one), not on another
    machine, not after a restart. The time and the process id may be the same there. What is left
    to chance has 60 random bits or more. No headers go in: what a client sends has no part in it.
    """
    # BEGIN SOLUTION
    return uuid.uuid4().hex
    # END SOLUTION


def client_id(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that this request's response carries in `X-Request-Id`.

    headers: ASGI's, (name in lower case, value) in bytes. The client's value is returned as it
    is, as text; where the header is absent or empty, a `new_uid` is made. Of several such
    headers, the first one counts, and the others are as good as absent.

    Raises ApiError 400, param "X-Request-Id", for a value of over `LONGEST` characters or with
    anything but printable ASCII (bytes 32 to 126): a line break in it would let a client write
    lines into our log.
    """
    # BEGIN SOLUTION
    given = next((value for name, value in headers if name == HEADER), b"").decode("latin-1")
    if len(given) > LONGEST or not (given.isascii() and given.isprintable()):
        message = f"X-Request-Id: expected at most {LONGEST} printable ASCII characters"
        raise ApiError(400, message, "X-Request-Id")
    return given or new_uid()
    # END SOLUTION


class EchoRequestId:
    """An ASGI layer around the whole app: every response carries its request's id.

    By its `async def __call__` a server tells it from an app of an older kind (ASGI 2), which is
    called with the scope alone.
    """

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        """Serve one request through `self.app`, adding `X-Request-Id` to the response's headers.

        `self.app` is called with (scope, receive, send); give it a `send` of your own. The message
        that starts a response is {"type": "http.response.start", "status": 200, "headers":
        [(name, value), …]}, names and values in bytes; "headers" may be missing, and the list may
        be one that the app sends again and again. All other messages are passed on as they are,
        and each at once: the app goes on when it has been sent.

        A refused id becomes the ApiError's response, under an id that is made, and the app is not
        called. What the app raises passes through, and a cancellation reaches the app. What is no
        HTTP request (scope["type"] is "lifespan" or "websocket", say) passes through untouched.
        """
        # BEGIN SOLUTION
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            app, name = self.app, client_id(scope["headers"])
        except ApiError as error:
            app, name = JSONResponse(error.body(), error.status), new_uid()

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (HEADER, name.encode())]
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, send_with_id)
        # END SOLUTION
