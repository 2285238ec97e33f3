"""Keeps the queue of the body, and the app's task, in the layer.

misunderstood: a layer object belongs to one call
seen in: an ordinary slip
task: 5.2
check: test_real_sockets
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue(1)
        self.task = asyncio.ensure_future(self.app(scope, inbox.get, send))

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)
            self.task.cancel()

        app, listener = self.task, asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app})
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
