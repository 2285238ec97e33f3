"""Sends the error's JSON without its content type.

misunderstood: what is JSON is seen to be JSON
seen in: an ordinary slip
task: 1.4
check: test_errors_become_responses
"""

import json


class Handler(Handler):
    async def __call__(self, scope, receive, send):
        try:
            checked = parse_request(await read_body(receive), self.served, streaming=self.streaming)
            response = await self.answer(self.endpoint, checked)
        except ClientGone:
            return
        except ApiError as error:
            response = Response(json.dumps(error.body()), error.status)
        await response(scope, receive, send)
