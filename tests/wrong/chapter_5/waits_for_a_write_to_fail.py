"""Takes a failing write for the sign that the client has left.

misunderstood: writing to a closed connection raises an error
seen in: uvicorn#2220
task: 5.2
check: test_a_write_that_waits
"""

import contextlib


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        with contextlib.suppress(OSError):
            await self.app(scope, receive, send)
