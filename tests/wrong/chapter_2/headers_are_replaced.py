"""Puts its header in the place of those that were there.

misunderstood: a response has the headers that are set last
seen in: an ordinary slip
task: 2.1
check: test_every_response_carries_it
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        async def send_own(message):
            if "headers" in message:
                message = {**message, "headers": message["headers"][-1:]}
            await send(message)

        await super().__call__(scope, receive, send_own)
