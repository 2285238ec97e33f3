"""A coroutine, handed to the loop; what becomes of it is nobody's business here."""

import asyncio


class Bridge:
    def __init__(self, loop, deliver):
        self.loop = loop
        self.deliver = deliver

    async def _deliver(self, replies):
        self.deliver(replies)

    def post(self, replies):
        if not replies:
            return
        coroutine = self._deliver(list(replies))
        try:
            asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        except RuntimeError:
            coroutine.close()
