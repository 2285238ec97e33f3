"""Cancels what has begun to stream, and nothing else.

misunderstood: a client without a stream waits to the end
seen in: vllm#9428
task: 5.5
check: test_your_own_server
file: disconnect.py
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        started = asyncio.Event()
        inbox = asyncio.Queue(1)

        async def noted(message):
            started.set()
            await send(message)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)
            await started.wait()

        app = asyncio.ensure_future(self.app(scope, inbox.get, noted))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
