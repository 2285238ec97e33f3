"""A pattern over bytes, ids out of the clock and the system's randomness, and an object as send."""

import json
import os
import re
import secrets
import time

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128
ACCEPTABLE = re.compile(rb"[ -~]{0,%d}" % LONGEST)


def new_uid():
    return "-".join(("r", format(time.time_ns(), "x"), str(os.getpid()), secrets.token_urlsafe(12)))


def client_id(headers):
    for name, value in headers:
        if name != HEADER:
            continue
        if not ACCEPTABLE.fullmatch(value):
            raise ApiError(400, "that X-Request-Id is not acceptable", param="X-Request-Id")
        return str(value, "ascii") or new_uid()
    return new_uid()


class _Stamping:
    def __init__(self, send, name):
        self.send, self.pair = send, (HEADER, name.encode("ascii"))

    async def __call__(self, message):
        if message["type"] == "http.response.start":
            message = dict(message, headers=list(message.get("headers") or []) + [self.pair])
        await self.send(message)


class EchoRequestId:
    def __init__(self, app):
        self.app = app

    async def _refuse(self, error, send):
        await send(
            {
                "type": "http.response.start",
                "status": error.status,
                "headers": [(b"content-type", b"application/json")],
            }
        )
        await send({"type": "http.response.body", "body": json.dumps(error.body()).encode()})

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            stamping = _Stamping(send, client_id(scope["headers"]))
        except ApiError as error:
            await self._refuse(error, _Stamping(send, new_uid()))
        else:
            await self.app(scope, receive, stamping)
