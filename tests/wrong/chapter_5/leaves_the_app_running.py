"""Returns when the client has left, and leaves the app to itself.

misunderstood: when nobody reads the answer, the call is over
seen in: an ordinary slip
task: 5.2
check: test_no_token_is_coming
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(2)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        listener = asyncio.ensure_future(listen())
        await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        listener.cancel()
        if app.done():
            app.result()
