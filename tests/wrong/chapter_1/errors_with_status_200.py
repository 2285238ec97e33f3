"""Sends errors in a 200.

misunderstood: the body says that it is an error, so the status need not
seen in: an ordinary slip
task: 1.4
check: test_errors_become_responses
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body())
        await response(scope, receive, send)
