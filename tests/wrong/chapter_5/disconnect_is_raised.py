"""Lets the cancellation of the app out.

misunderstood: whoever called will know what to do with a CancelledError
seen in: an ordinary slip
task: 5.2
check: test_in_mid_body
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        left = asyncio.Event()

        async def heard():
            message = await receive()
            if message["type"] == "http.disconnect":
                left.set()
            return message

        await super().__call__(scope, heard, send)
        if left.is_set():
            raise asyncio.CancelledError
