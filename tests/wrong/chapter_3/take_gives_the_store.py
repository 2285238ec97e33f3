"""Gives its own list the first time, since all of it is new.

misunderstood: a list that is returned is a copy
seen in: an ordinary slip
task: 3.3
check: test_whatever_they_say
"""


class Mailbox(Mailbox):
    async def take(self):
        while self.taken == len(self.replies):
            self.news.clear()
            await self.news.wait()
        first = self.taken == 0
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return self.replies if first else new
