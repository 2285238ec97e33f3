"""Leaves the abort to a task that nobody owns.

misunderstood: a task that was created will run
seen in: FreeToken#222
task: 5.4
check: test_a_waiter_that_is_cancelled
"""

import asyncio


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        async def abort():
            await asyncio.sleep(0.1)  # perhaps it ends by itself
            if mailbox.life.end("aborted"):
                self.send(Abort(mailbox.uid))

        asyncio.ensure_future(abort())
        Backend.release(self, mailbox)
