"""Never looks at how the app ended.

misunderstood: what goes wrong in a task is logged by itself
seen in: an ordinary slip
task: 5.2
check: test_an_app_that_fails
"""

import contextlib


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        with contextlib.suppress(Exception):
            await super().__call__(scope, receive, send)
