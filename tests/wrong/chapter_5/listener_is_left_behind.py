"""Forgets the listener when the app has ended.

misunderstood: a task that nobody needs goes away by itself
seen in: an ordinary slip
task: 5.2
check: test_an_app_that_ends
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(1)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        self.listener = asyncio.ensure_future(listen())
        try:
            both = {app, self.listener}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            app.cancel()
            await asyncio.wait({app})
        if not app.cancelled():
            app.result()
