"""Forgets the listener when the app has ended.

misunderstood: a task that nobody needs goes away by itself
seen in: an ordinary slip
task: 5.2
check: test_an_app_that_ends
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        def listen():
            return asyncio.shield(asyncio.ensure_future(receive()))

        await super().__call__(scope, listen, send)
