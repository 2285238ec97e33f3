"""Of what came, gives only the error if there is one.

misunderstood: after an error nothing before it counts
seen in: an ordinary slip
task: 3.3
check: test_whatever_they_say
"""


class Mailbox(Mailbox):
    async def take(self):
        new = await super().take()
        return [new[-1]] if new[-1].error else new
