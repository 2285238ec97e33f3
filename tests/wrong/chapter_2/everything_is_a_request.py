"""Looks for headers in every scope.

misunderstood: an ASGI app is called for requests only
seen in: an ordinary slip
task: 2.1
check: test_what_is_no_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        await super().__call__({**scope, "headers": scope["headers"]}, receive, send)
