"""Writes the error object by hand, without code and type.

misunderstood: message and param are the error
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
            said = {"error": {"message": error.message, "param": error.param}}
            response = JSONResponse(said, error.status)
        await response(scope, receive, send)
