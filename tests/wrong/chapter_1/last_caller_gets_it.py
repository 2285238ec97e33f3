"""Keeps the connection in attributes and reads them after the awaits.

misunderstood: an attribute of the handler belongs to one request (an answer goes to another caller)
seen in: gopher-mcp#248
task: 1.4
check: test_any_answer_will_do
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        self.connection = scope, receive, send
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(*self.connection)
