"""Reads two messages ahead, and counts the one that says that the client has left.

misunderstood: a limit on what is read ahead is a limit on listening
seen in: an ordinary slip
task: 5.2
check: test_no_token_is_coming
"""

_layer = CancelOnDisconnect


class CancelOnDisconnect(_layer):
    async def __call__(self, scope, receive, send):
        places = asyncio.Semaphore(2)

        async def app(scope, receive, send):
            async def take():
                message = await receive()
                places.release()
                return message

            await self.app(scope, take, send)

        async def heard():
            await places.acquire()
            return await receive()

        await _layer(app)(scope, heard, send)
