"""Answers a refused id under its first 128 characters.

misunderstood: a part of the client's id names its request
seen in: an ordinary slip
task: 2.1
check: test_a_refused_id_ends_the_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            app, name = self.app, client_id(scope["headers"])
        except ApiError as error:
            app, name = (
                JSONResponse(error.body(), error.status),
                dict(scope["headers"])[HEADER][:128].decode("latin-1"),
            )

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                message = {
                    **message,
                    "headers": [*message.get("headers", ()), (HEADER, name.encode())],
                }
            await send(message)

        await app(scope, receive, send_with_id)
