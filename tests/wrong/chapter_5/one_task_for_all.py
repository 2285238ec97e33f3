"""Keeps the task of the app in the layer.

misunderstood: a layer object belongs to one call
seen in: an ordinary slip
task: 5.2
check: test_real_sockets
"""

_layer = CancelOnDisconnect


class CancelOnDisconnect(_layer):
    async def __call__(self, scope, receive, send):
        async def noted(*call):
            self.task = asyncio.current_task()
            await self.app(*call)

        async def heard():
            message = await receive()
            if message["type"] == "http.disconnect":
                self.task.cancel()
                await asyncio.Event().wait()
            return message

        await _layer(noted)(scope, heard, send)
