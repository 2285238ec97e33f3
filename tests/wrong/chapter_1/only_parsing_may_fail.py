"""Catches errors around the parsing alone.

misunderstood: once a request is checked, its answer cannot be refused
seen in: sglang#21900
task: 1.4
check: test_errors_become_responses
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        else:
            response = await self.answer(self.endpoint, checked)
        await response(scope, receive, send)
