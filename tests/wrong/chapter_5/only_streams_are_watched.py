"""Begins to listen when the first byte of the response has left.

misunderstood: only a stream can lose its reader
seen in: vllm#9428
task: 5.2
check: test_no_token_is_coming
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        started = asyncio.Event()

        async def noted(message):
            started.set()
            await send(message)

        async def listen():
            await started.wait()
            while (await receive())["type"] != "http.disconnect":
                pass

        app = asyncio.ensure_future(self.app(scope, receive, noted))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
