"""Turns any failure of the model into a 400.

misunderstood: an answer may fail for the client's reasons only
seen in: an ordinary slip
task: 1.4
check: test_failures_pass_through
"""


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        try:
            return await super().__call__(endpoint, checked)
        except ApiError:
            raise
        except Exception as error:
            raise ApiError(400, f"generation failed: {error}") from None
