"""Passes on only those messages that carry bytes.

misunderstood: a message without bytes says nothing (it says that the response is over)
seen in: an ordinary slip
task: 2.1
check: test_every_response_carries_it
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        async def send_what_matters(message):
            if message["type"] != "http.response.body" or message.get("body"):
                await send(message)

        await super().__call__(scope, receive, send_what_matters)
