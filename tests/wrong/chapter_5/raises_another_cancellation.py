"""Raises a CancelledError of its own in the place of the one that came.

misunderstood: one CancelledError is like another
seen in: an ordinary slip
task: 5.2
check: test_a_scope_around_it
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        try:
            return await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            pass
        raise asyncio.CancelledError
