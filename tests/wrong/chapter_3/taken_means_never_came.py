"""Empties the state's replies when they are taken.

misunderstood: what has been handed on need not be remembered
seen in: an ordinary slip
task: 3.3
check: test_it_is_still_a_state
"""


class Mailbox(Mailbox):
    async def take(self):
        while not self.replies:
            self.news.clear()
            await self.news.wait()
        new, self.replies = self.replies, []
        return new
