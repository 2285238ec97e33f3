"""Listens with the app's own `receive`, and drops what is no disconnect.

misunderstood: each reader of `receive` gets every message
seen in: an ordinary slip
task: 5.2
check: test_body
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        async def listen():
            while (await receive())["type"] != "http.disconnect":
                pass

        app = asyncio.ensure_future(self.app(scope, receive, send))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
