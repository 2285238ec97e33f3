"""Waits for the app inside `anyio.CancelScope(shield=True)`.

misunderstood: an await inside a shield cannot be cancelled
seen in: an ordinary slip
task: 5.2
check: test_once_more_during_the_clean_up
"""

import anyio


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(2)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            app.cancel()
            listener.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
