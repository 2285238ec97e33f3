"""Lets a cancellation from outside pass at once, while the app still cleans up.

misunderstood: who cancels a task need not wait for it
seen in: an ordinary slip
task: 5.2
check: test_cancelled_from_outside
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        inner = asyncio.ensure_future(super().__call__(scope, receive, send))
        try:
            await asyncio.shield(inner)
        except asyncio.CancelledError:
            inner.cancel()
            raise
