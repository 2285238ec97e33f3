"""Random bytes in base 32; a layer that is one function under a class's name."""

import base64
import os
import string

from starlette.responses import JSONResponse

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128
PRINTABLE = frozenset(string.printable) - frozenset(string.whitespace) | {" "}


def new_uid():
    return base64.b32encode(os.urandom(20)).decode().lower()


def client_id(headers):
    byname = {}
    for name, value in headers:
        byname.setdefault(name, value)
    chosen = "".join(map(chr, byname.get(HEADER, b"")))
    if len(chosen) > LONGEST or set(chosen) - PRINTABLE:
        raise ApiError(
            status=400,
            message=f"X-Request-Id is {chosen[:20]!r}: expected up to {LONGEST} of {{SP}}…~",
            param="X-Request-Id",
        )
    return chosen if chosen else new_uid()


def EchoRequestId(app):
    async def layer(scope, receive, send):
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        inner, uid = app, None
        try:
            uid = client_id(scope["headers"])
        except ApiError as error:
            inner, uid = JSONResponse(error.body(), error.status), new_uid()
        pair = [HEADER, uid.encode("latin-1")]

        def sending(message):
            if message["type"].endswith("response.start"):
                changed = {"headers": [*message.get("headers", []), pair]}
                return send(message | changed)
            return send(message)

        await inner(scope, receive, sending)

    return layer
