"""Ends the app in `except Exception`.

misunderstood: `except Exception` catches everything that may happen
seen in: vllm#1020
task: 5.2
check: test_cancelled_from_outside
"""


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
        except Exception:
            app.cancel()
            raise
        app.cancel()
        listener.cancel()
        await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
