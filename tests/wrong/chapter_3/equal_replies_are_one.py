"""Takes replies that equal an earlier one for taken.

misunderstood: two equal replies are one that came twice
seen in: an ordinary slip
task: 3.3
check: test_whatever_they_say
"""


class Mailbox(Mailbox):
    def __init__(self, uid):
        super().__init__(uid)
        self.seen = []

    async def take(self):
        while not (new := [r for r in self.replies if r not in self.seen]):
            self.news.clear()
            await self.news.wait()
        self.seen += new
        return new
