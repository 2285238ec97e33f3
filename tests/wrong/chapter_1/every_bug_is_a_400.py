"""Catches every exception and blames the client.

misunderstood: a handler must never raise
seen in: a bare except, an ordinary slip
task: 1.4
check: test_failures_pass_through
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        except Exception as error:
            response = JSONResponse(ApiError(400, str(error)).body(), 400)
        await response(scope, receive, send)
