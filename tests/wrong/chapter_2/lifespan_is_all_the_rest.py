"""Takes everything but lifespan for HTTP.

misunderstood: what is not the server's start and end is an HTTP request
seen in: an ordinary slip
task: 2.1
check: test_what_is_no_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        try:
            app, name = self.app, client_id(scope["headers"])
        except ApiError as error:
            app, name = JSONResponse(error.body(), error.status), new_uid()

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                message = {
                    **message,
                    "headers": [*message.get("headers", ()), (HEADER, name.encode())],
                }
            await send(message)

        await app(scope, receive, send_with_id)
