"""Ends quietly once the client has left, also if the call is cancelled then.

misunderstood: a CancelledError after a disconnect comes from the disconnect
seen in: an ordinary slip
task: 5.2
check: test_once_more_during_the_clean_up
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        left = asyncio.Event()

        async def heard():
            message = await receive()
            if message["type"] == "http.disconnect":
                left.set()
            return message

        try:
            await super().__call__(scope, heard, send)
        except asyncio.CancelledError:
            if not left.is_set():
                raise
