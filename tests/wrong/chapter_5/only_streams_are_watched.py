"""Begins to listen when the first byte of the response has left.

misunderstood: only a stream can lose its reader
seen in: vllm#9428
task: 5.2
check: test_no_token_is_coming
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
