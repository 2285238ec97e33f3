"""Waits with threading.Event, which holds the whole loop.

misunderstood: `async def` makes waiting harmless
seen in: production-stack#1016, blocking in a coroutine
task: 3.3
check: test_a_waiter_is_woken
"""

import threading


class Mailbox(Mailbox):
    def __init__(self, uid):
        super().__init__(uid)
        self.news = threading.Event()

    async def take(self):
        self.news.wait(0.5)
        self.news.clear()
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
