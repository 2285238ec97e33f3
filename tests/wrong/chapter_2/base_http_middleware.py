"""Is a BaseHTTPMiddleware.

misunderstood: a layer that rebuilds the response passes it on as it is
seen in: vllm#10087, sglang#20623
task: 2.1
check: test_nothing_is_held_back
"""

from starlette.middleware.base import BaseHTTPMiddleware


class EchoRequestId(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        try:
            name = client_id(request.scope["headers"])
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
            name = new_uid()
        else:
            response = await call_next(request)
        response.headers["X-Request-Id"] = name
        return response
