"""Calls the app inside the `try` that is for the id.

misunderstood: an ApiError in here is about the id
seen in: an ordinary slip
task: 2.1
check: test_what_the_app_raises
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        name = None

        async def send_with_id(message):
            if message["type"] == "http.response.start":
                message = {
                    **message,
                    "headers": [
                        *message.get("headers", ()),
                        (HEADER, (name or new_uid()).encode()),
                    ],
                }
            await send(message)

        try:
            name = client_id(scope["headers"])
            await self.app(scope, receive, send_with_id)
        except ApiError as error:
            await JSONResponse(error.body(), error.status)(scope, receive, send_with_id)
