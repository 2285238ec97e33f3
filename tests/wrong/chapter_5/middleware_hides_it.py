"""Asks `request.is_disconnected()` behind a BaseHTTPMiddleware.

misunderstood: a request object knows what the server knows, whatever stands between
seen in: vllm#10087
task: 5.2
check: test_no_token_is_coming
"""

from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        async def unchanged(request, call_next):
            return await call_next(request)

        scope = {"method": "POST", "path": "/", "headers": [], "query_string": b"", **scope}
        await BaseHTTPMiddleware(self.polled, unchanged)(scope, receive, send)

    async def polled(self, scope, receive, send):
        app = asyncio.ensure_future(self.app(scope, receive, send))
        request = Request(scope, receive)
        while not app.done():
            await asyncio.wait({app}, timeout=0.01)
            if await request.is_disconnected():
                app.cancel()
        if not app.cancelled():
            app.result()
