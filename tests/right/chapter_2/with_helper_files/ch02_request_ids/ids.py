"""The layer as two nested functions; the class only holds the app."""

from starlette.responses import JSONResponse

from chapters.ch02_request_ids.words import fresh
from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128

new_uid = fresh


def _explained(value):
    if len(value) > LONGEST:
        return f"it has {len(value)} characters, at most {LONGEST} are taken"
    strange = bytes(value).translate(None, bytes(range(32, 127)))
    return f"it has {strange[:1]!r} in it" if strange else None


def client_id(headers):
    match [value for name, value in headers if name == HEADER]:
        case [] | [b""]:
            return fresh()
        case [value, *_]:
            reason = _explained(value)
            if reason:
                raise ApiError(400, f"X-Request-Id: {reason}", "X-Request-Id", "bad_request_id")
            return value.decode("ascii")


def _sender(send, name):
    async def stamped(message):
        match message:
            case {"type": "http.response.start", **rest}:
                headers = [(HEADER, name.encode()), *rest.pop("headers", [])]
                await send({"type": "http.response.start", "headers": headers, **rest})
            case _:
                await send(message)

    return stamped


class EchoRequestId:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        await self._outcome(scope, receive, send)

    def _outcome(self, scope, receive, send):
        if scope["type"] != "http":
            return self.app(scope, receive, send)
        try:
            return self.app(scope, receive, _sender(send, client_id(scope["headers"])))
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
            return response(scope, receive, _sender(send, fresh()))
