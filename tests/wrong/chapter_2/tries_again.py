"""Computes a request that failed once more.

misunderstood: what failed may work the second time
seen in: an ordinary slip
task: 2.4
check: test_closed_however_it_ends
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        try:
            return await super().__call__(endpoint, checked)
        except Exception:
            return await super().__call__(endpoint, checked)
