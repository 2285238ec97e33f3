"""Catches CancelledError and goes on as if nothing had happened.

misunderstood: a cancellation always means that the client has left
seen in: an ordinary slip
task: 5.2
check: test_cancelled_from_outside
"""

import contextlib

_layer = CancelOnDisconnect


class CancelOnDisconnect(_layer):
    async def __call__(self, scope, receive, send):
        with contextlib.suppress(asyncio.CancelledError):
            await super().__call__(scope, receive, send)
