"""Lets the ApiError of a refused id pass through the layer.

misunderstood: the handler turns every ApiError into a response (it is called further in)
seen in: an ordinary slip
task: 2.1
check: test_a_refused_id_ends_the_request
"""


class EchoRequestId(EchoRequestId):
    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            client_id(scope["headers"])
        await super().__call__(scope, receive, send)
