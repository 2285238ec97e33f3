"""Collects the response and sends it when the app has ended.

misunderstood: what a response is made of may be sent all at once
seen in: starlette#2753, tower-http#419
task: 2.1
check: test_nothing_is_held_back
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        kept = []

        async def keep(m):
            kept.append(m)

        await super().__call__(scope, receive, keep)
        for m in kept:
            await send(m)
