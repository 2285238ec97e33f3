"""Does not await the answer.

misunderstood: calling a coroutine function runs it
seen in: an ordinary slip
task: 1.4
check: test_answers
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(scope, receive, send)
