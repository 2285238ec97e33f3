"""Expects ClientGone from reading alone.

misunderstood: who has sent everything stays for the answer
seen in: an ordinary slip
task: 1.4
check: test_client_leaves
"""


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            raw = await read_body(receive)
        except ClientGone:
            return
        except ApiError as error:
            return await JSONResponse(error.body(), error.status)(scope, receive, send)
        try:
            checked = parse_request(raw, self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ApiError as error:
            response = JSONResponse(error.body(), error.status)
        await response(scope, receive, send)
