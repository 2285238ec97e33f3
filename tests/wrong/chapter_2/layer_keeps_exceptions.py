"""Prints what the app raises and goes on.

misunderstood: a layer keeps trouble from the server
seen in: an ordinary slip
task: 2.1
check: test_what_the_app_raises
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        try:
            await super().__call__(scope, receive, send)
        except Exception as e:
            print("error", e)
