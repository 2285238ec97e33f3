"""Takes the first message of the body, to look at it.

misunderstood: `receive` gives the app the same messages again
seen in: an ordinary slip
task: 2.1
check: test_nothing_is_held_back
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            await receive()
        await super().__call__(scope, receive, send)
