"""Looks whether the client is still there each time something is sent.

misunderstood: it is soon enough to notice a disconnect when the next token is there
seen in: lemonade#3133
task: 5.2
check: test_no_token_is_coming
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        messages, gone = asyncio.Queue(), asyncio.Event()

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await messages.put(message)
            gone.set()

        async def checked(message):
            await asyncio.sleep(0)
            if gone.is_set():
                raise asyncio.CancelledError
            await send(message)

        listener = asyncio.ensure_future(listen())
        try:
            await self.app(scope, messages.get, checked)
        except asyncio.CancelledError:
            if not gone.is_set():
                raise
        finally:
            listener.cancel()
            await asyncio.wait({listener})
