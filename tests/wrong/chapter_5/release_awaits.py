"""Makes `release` a coroutine function, to be polite to the worker.

misunderstood: clean-up may await like everything else
seen in: an ordinary slip
task: 5.4
check: test_one_abort
"""

import asyncio


class AbortingBackend(AbortingBackend):
    async def release(self, mailbox):
        await asyncio.sleep(0)
        if mailbox.life.end("aborted"):
            self.send(Abort(mailbox.uid))
        Backend.release(self, mailbox)
