"""Returns all replies from the first one on.

misunderstood: take means: what is there
seen in: an ordinary slip
task: 3.3
check: test_all_that_came
"""


class Mailbox(Mailbox):
    async def take(self):
        await super().take()
        return list(self.replies)
