"""A random prefix, made again in each fork, and a number; the layer's `send` is a partial."""

import functools
import itertools
import os
import re
import secrets

from starlette.responses import JSONResponse

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128
GOOD = re.compile(rb"[\x20-\x7e]{1,128}")


def _begin():
    global _prefix, _numbers
    _prefix, _numbers = secrets.token_hex(8), itertools.count()


_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)


def new_uid():
    return f"req-{_prefix}-{next(_numbers)}"


def client_id(headers):
    values = [value for name, value in headers if name == HEADER]
    if not values or not values[0]:
        return new_uid()
    if GOOD.fullmatch(values[0]) is None:
        raise ApiError(400, "X-Request-Id is too long or not plain", "X-Request-Id")
    return values[0].decode("ascii")


class EchoRequestId:
    def __init__(self, app):
        self.app = app

    async def _send(self, send, name, message):
        if message["type"] == "http.response.start":
            pair = (b"X-Request-Id".lower(), name.encode("ascii"))
            message = message | {"headers": [pair, *message.get("headers", [])]}
        return await send(message)

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        app = self.app
        try:
            name = client_id(scope["headers"])
        except ApiError as error:
            app, name = JSONResponse(error.body(), status_code=error.status), new_uid()
        scope = {**scope, "state": {**scope.get("state", {}), "request_id": name}}
        return await app(scope, receive, functools.partial(self._send, send, name))
