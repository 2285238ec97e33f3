"""Reads `message["headers"]`.

misunderstood: ASGI sends every key in every message
seen in: an ordinary slip
task: 2.1
check: test_every_response_carries_it
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        async def app(scope, receive, send_with_id):
            async def send_strictly(message):
                if message["type"] == "http.response.start":
                    message["headers"] = list(message["headers"])
                await send_with_id(message)

            await self.app(scope, receive, send_strictly)

        await _EchoRequestId(app)(scope, receive, send)


_EchoRequestId = EchoRequestId.__base__
