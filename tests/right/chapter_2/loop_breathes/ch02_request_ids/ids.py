"""An id made by the kernel at each call; the client's is read off the raw bytes, backwards."""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128


def new_uid():
    return "req_" + secrets.token_hex(20)


def client_id(headers):
    value = b""
    for name, other in reversed(list(headers)):
        value = other if name == HEADER else value
    if value == b"":
        return new_uid()
    if len(value) <= LONGEST and min(value) >= 0x20 and max(value) <= 0x7E:
        return value.decode()
    raise ApiError(400, f"X-Request-Id: {value[:16]!r}… will not do", "X-Request-Id", "bad_id")


class _Refusal:
    """An app that has one answer."""

    def __init__(self, error):
        self.error = error

    async def __call__(self, scope, receive, send):
        response = JSONResponse(self.error.body(), self.error.status)
        await response(scope, receive, send)


class EchoRequestId:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        serve = self._http if scope["type"] == "http" else self.app
        await serve(scope, receive, send)

    async def _http(self, scope, receive, send):
        async def stamping(message):
            if message["type"] == "http.response.start":
                message = {"headers": [], **message}
                message["headers"] = list(message["headers"])
                MutableHeaders(raw=message["headers"]).append("X-Request-Id", name)
            await send(message)

        try:
            name = client_id(scope["headers"])
        except ApiError as error:
            name = new_uid()
            await _Refusal(error)(scope, receive, stamping)
        else:
            await self.app(scope, receive, stamping)
