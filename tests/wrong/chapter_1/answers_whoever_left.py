"""Answers a client that has left with a 400.

misunderstood: every path through a handler ends in a response
seen in: an ordinary slip
task: 1.4
check: test_client_leaves
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            response = JSONResponse(ApiError(400, "the body is incomplete").body(), 400)
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(scope, receive, send)
