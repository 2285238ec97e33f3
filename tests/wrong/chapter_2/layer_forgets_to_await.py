"""Does not await the app.

misunderstood: calling a coroutine function runs it
seen in: an ordinary slip
task: 2.1
check: test_every_response_carries_it
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        super().__call__(scope, receive, send)
