"""Keeps the store in the class, so that all mailboxes share it.

misunderstood: what stands in a class body is made for each object
seen in: mlx-lm#965
task: 3.3
check: test_it_is_still_a_state
"""


class Mailbox(Mailbox):
    store = []

    def apply(self, reply):
        super().apply(reply)
        self.store.append(reply)

    async def take(self):
        while not self.store:
            self.news.clear()
            await self.news.wait()
        new, self.store[:] = list(self.store), []
        return new
