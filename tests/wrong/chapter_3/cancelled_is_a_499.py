"""Answers 499 when it is cancelled.

misunderstood: cancelling is an error to answer
seen in: an ordinary slip
task: 3.4
check: test_released_however_it_ends
"""

_call = WaitingAnswer.__call__


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        try:
            return await _call(self, endpoint, checked)
        except asyncio.CancelledError:
            return JSONResponse({"error": "client closed request"}, 499)
