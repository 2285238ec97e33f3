"""Sends the reply along with the wake-up and keeps no copy.

misunderstood: whoever is woken will run
seen in: an ordinary slip
task: 3.3
check: test_a_cancelled_wait_loses_nothing
"""


class Mailbox(Mailbox):
    waiter = None

    def apply(self, reply):
        super().apply(reply)
        if self.waiter is not None and not self.waiter.done():
            self.taken = len(self.replies)
            self.waiter.set_result([reply])

    async def take(self):
        if self.taken == len(self.replies):
            self.waiter = asyncio.get_running_loop().create_future()
            return await self.waiter
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
