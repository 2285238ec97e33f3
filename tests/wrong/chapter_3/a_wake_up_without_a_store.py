"""Keeps the newest reply, and wakes whoever waits.

misunderstood: who is woken for every reply sees every reply
seen in: an ordinary slip
task: 3.3
check: test_all_that_came
"""


class Mailbox(Mailbox):
    async def take(self):
        await self.news.wait()
        self.news.clear()
        return self.replies[-1:]
