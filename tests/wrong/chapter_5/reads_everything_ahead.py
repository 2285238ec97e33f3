"""Puts the body into a queue without a limit.

misunderstood: a body is small
seen in: an ordinary slip
task: 5.2
check: test_body
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inbox = asyncio.Queue()

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        listener = asyncio.ensure_future(listen())
        cancelled = None
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError as error:
            cancelled = error
        app.cancel()
        listener.cancel()
        while not (app.done() and listener.done()):
            try:
                await asyncio.wait({app, listener})
            except asyncio.CancelledError as error:
                cancelled = error  # raised when they have ended, not now
        if cancelled:
            raise cancelled
        if not app.cancelled():
            app.result()
