"""Serves each request under one lock.

misunderstood: a layer must protect its app from requests at once
seen in: an ordinary slip
task: 2.1
check: test_requests_at_once
"""

import asyncio


class EchoRequestId(EchoRequestId):
    lock = asyncio.Lock()

    async def __call__(self, scope, receive, send):
        async with self.lock:
            await super().__call__(scope, receive, send)
