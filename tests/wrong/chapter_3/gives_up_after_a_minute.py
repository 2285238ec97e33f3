"""`take` raises TimeoutError after a minute.

misunderstood: every wait needs a time limit
seen in: an ordinary slip
task: 3.3
check: test_waits_as_long_as_it_takes
"""


class Mailbox(Mailbox):
    async def take(self):
        return await asyncio.wait_for(super().take(), 60)
