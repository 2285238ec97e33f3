"""Lets the cancellation of the app out.

misunderstood: whoever called will know what to do with a CancelledError
seen in: an ordinary slip
task: 5.2
check: test_in_mid_body
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(1)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        app.result()
