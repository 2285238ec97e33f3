"""Cancels the app again and again until it has ended.

misunderstood: cancelling once more cannot harm
seen in: flower#7983
task: 5.2
check: test_clean_up_is_over
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
        finally:
            listener.cancel()
            while not app.done():
                app.cancel()
                await asyncio.sleep(0)
        if not app.cancelled():
            app.result()
