"""Clears the wake-up before it looks whether something is there.

misunderstood: nothing can have come before somebody waits
seen in: an ordinary slip
task: 3.3
check: test_a_reply_before_anyone_waits
"""


class Mailbox(Mailbox):
    async def take(self):
        self.news.clear()
        await self.news.wait()
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
