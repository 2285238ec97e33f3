"""Shields the app from a cancellation.

misunderstood: a request that is cancelled may compute on
seen in: an ordinary slip
task: 2.1
check: test_what_the_app_raises
"""

import asyncio
import contextlib


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(super().__call__(scope, receive, send))
