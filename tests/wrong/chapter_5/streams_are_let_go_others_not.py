"""Cancels what has begun to stream, and nothing else.

misunderstood: a client without a stream waits to the end
seen in: vllm#9428
task: 5.5
check: test_your_own_server
file: disconnect.py
"""


class CancelOnDisconnect(CancelOnDisconnect):
    async def __call__(self, scope, receive, send):
        started = asyncio.Event()

        async def noted(message):
            started.set()
            await send(message)

        async def heard():
            message = await receive()
            if message["type"] == "http.disconnect":
                await started.wait()
            return message

        await super().__call__(scope, heard, noted)
