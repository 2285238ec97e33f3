"""Ignores what is no HTTP request.

misunderstood: what is no request is nobody's business
seen in: an ordinary slip
task: 2.1
check: test_what_is_no_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await super().__call__(scope, receive, send)
