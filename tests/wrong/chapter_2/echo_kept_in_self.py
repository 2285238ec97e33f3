"""Keeps the id in an attribute until the response comes.

misunderstood: an attribute of the layer belongs to one request
seen in: an ordinary slip
task: 2.1
check: test_requests_at_once
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            app, self.name = self.app, client_id(scope["headers"])
        except ApiError as error:
            app, self.name = JSONResponse(error.body(), error.status), new_uid()

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (HEADER, self.name.encode())]
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, send_with_id)
