"""Leaves out replies without text.

misunderstood: a reply without text says nothing
seen in: an ordinary slip
task: 3.3
check: test_whatever_they_say
"""


class Mailbox(Mailbox):
    async def take(self):
        while True:
            new = [r for r in await super().take() if r.text or r.last]
            if new:
                return new
