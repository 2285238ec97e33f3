"""Puts the body into a queue without a limit.

misunderstood: a body is small
seen in: an ordinary slip
task: 5.2
check: test_body
"""

_Queue = asyncio.Queue


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        messages = _Queue()

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                messages.put_nowait(message)

        app = asyncio.ensure_future(self.app(scope, messages.get, send))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
