"""Looks into the store every 5 milliseconds.

misunderstood: a short sleep costs nothing and delays nobody
seen in: an ordinary slip
task: 3.3
check: test_waiting_costs_nothing
"""


class Mailbox(Mailbox):
    async def take(self):
        while self.taken == len(self.replies):
            await asyncio.sleep(0.005)
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
