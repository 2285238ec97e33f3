"""Keeps a store of its own and does not tell the state it is made of.

misunderstood: a method that is overridden needs nothing of the old one
seen in: an ordinary slip
task: 3.3
check: test_it_is_still_a_state
"""


class Mailbox(Mailbox):
    def __init__(self, uid):
        super().__init__(uid)
        self.store = []

    def apply(self, reply):
        self.store.append(reply)
        self.news.set()

    async def take(self):
        while not self.store:
            self.news.clear()
            await self.news.wait()
        new, self.store = self.store, []
        return new
