"""Returns one reply a call.

misunderstood: one wake-up, one reply
seen in: vllm#12298, one queue entry a token
task: 3.3
check: test_all_that_came
"""


class Mailbox(Mailbox):
    async def take(self):
        while self.taken == len(self.replies):
            self.news.clear()
            await self.news.wait()
        self.taken += 1
        return self.replies[self.taken - 1 : self.taken]
