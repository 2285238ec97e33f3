"""Appends to the app's own list of headers.

misunderstood: the list in a message is made anew for each response
seen in: an ordinary slip
task: 2.1
check: test_requests_at_once
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            app, name = self.app, client_id(scope["headers"])
        except ApiError as error:
            app, name = JSONResponse(error.body(), error.status), new_uid()

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                message.setdefault("headers", []).append((HEADER, name.encode()))
            await send(message)

        await app(scope, receive, send_with_id)
