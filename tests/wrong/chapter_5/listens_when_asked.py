"""Passes `receive` through and hopes that the app listens.

misunderstood: the framework cancels whoever has lost its client
seen in: mini-sglang#15
task: 5.2
check: test_no_token_is_coming
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)
