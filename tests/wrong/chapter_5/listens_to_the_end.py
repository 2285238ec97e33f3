"""Goes on listening while the app cleans up, and cancels it when the client leaves then.

misunderstood: whenever a client leaves, its app is to be cancelled
seen in: an ordinary slip
task: 5.2
check: test_once_more_during_the_clean_up
"""

_layer = CancelOnDisconnect


class CancelOnDisconnect(_layer):
    async def __call__(self, scope, receive, send):
        messages, silence = asyncio.Queue(2), asyncio.Event()

        async def listen(app):
            while (message := await receive())["type"] != "http.disconnect":
                await messages.put(message)
            app.cancel()

        async def app(scope, _, send):
            listener = asyncio.ensure_future(listen(asyncio.current_task()))
            try:
                await self.app(scope, messages.get, send)
            finally:
                listener.cancel()

        await _layer(app)(scope, silence.wait, send)
