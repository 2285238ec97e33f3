"""Answers a refused id without any id.

misunderstood: a request whose id was refused has none
seen in: an ordinary slip
task: 2.1
check: test_a_refused_id_ends_the_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        try:
            client_id(scope.get("headers", []))
        except ApiError as error:
            return await JSONResponse(error.body(), error.status)(scope, receive, send)
        await super().__call__(scope, receive, send)
