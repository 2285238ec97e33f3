"""Sets the result of a future that was cancelled.

misunderstood: a future that exists has somebody waiting for it
seen in: ray#41199
task: 3.3
check: test_a_cancelled_wait_loses_nothing
"""


class Mailbox(Mailbox):
    waiter = None

    def apply(self, reply):
        super().apply(reply)
        if self.waiter is not None and self.taken < len(self.replies):
            self.waiter.set_result(None)
            self.waiter = None

    async def take(self):
        if self.taken == len(self.replies):
            self.waiter = asyncio.get_running_loop().create_future()
            await self.waiter
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
