"""Listens with the app's own `receive`, and drops what is no disconnect.

misunderstood: each reader of `receive` gets every message
seen in: an ordinary slip
task: 5.2
check: test_body
"""

_layer = CancelOnDisconnect


class CancelOnDisconnect(_layer):
    async def __call__(self, scope, receive, send):
        async def app(scope, _, send):
            await self.app(scope, receive, send)

        async def heard():
            while (message := await receive())["type"] != "http.disconnect":
                pass
            return message

        await _layer(app)(scope, heard, send)
