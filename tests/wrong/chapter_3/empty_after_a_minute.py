"""`take` returns an empty list after a minute.

misunderstood: whoever gets nothing will ask again
seen in: an ordinary slip
task: 3.3
check: test_waits_as_long_as_it_takes
"""


class Mailbox(Mailbox):
    async def take(self):
        try:
            return await asyncio.wait_for(super().take(), 60)
        except TimeoutError:
            return []
