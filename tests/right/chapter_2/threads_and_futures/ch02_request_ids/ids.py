"""Starlette's own header class, a uuid that holds time and machine, and a lock around it."""

import threading
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from chapters.core import ApiError

HEADER = b"x-request-id"
LONGEST = 128
_lock = threading.Lock()


def new_uid() -> str:
    with _lock:
        return str(uuid.uuid1()) + str(uuid.uuid4())


def client_id(headers):
    value = Headers(raw=list(headers)).get("X-Request-Id") or new_uid()
    if len(value) > LONGEST:
        raise ApiError(400, f"more than {LONGEST} characters", "X-Request-Id")
    if any(not 32 <= ord(character) <= 126 for character in value):
        raise ApiError(400, "printable ASCII only, please", "X-Request-Id")
    return value


class EchoRequestId:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await self.serve(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def serve(self, scope, receive, send):
        app = self.app
        try:
            name = client_id(scope["headers"])
        except ApiError as refusal:
            name = new_uid()
            app = JSONResponse(refusal.body(), status_code=refusal.status)

        def with_id(message):
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                MutableHeaders(scope=message)["X-Request-Id"] = name
            return send(message)

        await app(scope, receive, with_id)
