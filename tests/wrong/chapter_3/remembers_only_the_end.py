"""Empties the state's replies when they are taken, and notes by itself that the last one came.

misunderstood: of what was taken, nothing more need be kept than that it has ended
seen in: an ordinary slip
task: 3.3
check: test_it_is_still_a_state
"""


class Mailbox(Mailbox):
    over = False

    @property
    def finished(self):
        return self.over

    def apply(self, reply):
        super().apply(reply)
        self.over = reply.last

    async def take(self):
        while not self.replies:
            self.news.clear()
            await self.news.wait()
        new, self.replies = self.replies, []
        return new
