"""Sends each message in a task of its own.

misunderstood: a message is sent once sending has been arranged
seen in: an ordinary slip
task: 2.1
check: test_nothing_is_held_back
"""

import asyncio


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        tasks = []

        async def later(m):
            tasks.append(asyncio.ensure_future(send(m)))

        await super().__call__(scope, receive, later if scope["type"] == "http" else send)
        await asyncio.gather(*tasks)
