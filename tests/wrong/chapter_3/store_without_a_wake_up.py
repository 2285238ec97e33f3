"""Looks into the store again and again.

misunderstood: `await asyncio.sleep(0)` is waiting
seen in: an ordinary slip
task: 3.3
check: test_waiting_costs_nothing
"""


class Mailbox(Mailbox):
    async def take(self):
        while self.taken == len(self.replies):
            await asyncio.sleep(0)
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
