"""Empties `live` when its own request has ended.

misunderstood: the registry is this request's alone
seen in: an ordinary slip
task: 2.4
check: test_closed_however_it_ends
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        try:
            return await super().__call__(endpoint, checked)
        finally:
            self.registry.live.clear()
