"""Returns at once, with an empty list if nothing has come.

misunderstood: whoever wants more asks again
seen in: an ordinary slip
task: 3.3
check: test_a_waiter_is_woken
"""


class Mailbox(Mailbox):
    async def take(self):
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
