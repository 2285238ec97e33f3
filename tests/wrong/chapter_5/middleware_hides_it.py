"""Asks `request.is_disconnected()` inside a BaseHTTPMiddleware.

misunderstood: a request object inside a middleware knows what the server knows
seen in: vllm#10087
task: 5.2
check: test_no_token_is_coming
"""

from starlette.middleware.base import BaseHTTPMiddleware


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        async def dispatch(request, call_next):
            answer = asyncio.ensure_future(call_next(request))
            while not answer.done():
                await asyncio.wait({answer}, timeout=0.01)
                if await request.is_disconnected():
                    answer.cancel()
            return await answer

        scope = {"method": "POST", "path": "/", "headers": [], "query_string": b"", **scope}
        await BaseHTTPMiddleware(self.app, dispatch)(scope, receive, send)
