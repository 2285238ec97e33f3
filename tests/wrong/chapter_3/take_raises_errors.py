"""Raises a reply's error in `take`.

misunderstood: an error is something to raise, wherever it is met
seen in: an ordinary slip
task: 3.3
check: test_whatever_they_say
"""

from chapters.core import ApiError


class Mailbox(Mailbox):
    async def take(self):
        new = await super().take()
        for reply in new:
            if reply.error:
                raise ApiError.of(reply.error)
        return new
