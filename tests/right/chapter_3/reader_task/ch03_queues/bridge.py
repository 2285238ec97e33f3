"""A task on the loop reads an asyncio.Queue, which is filled from the thread as it must be."""

import asyncio


class Bridge:
    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.queue = asyncio.Queue()
        self.reader = loop.create_task(self._read())

    async def _read(self):
        while True:
            self.deliver(await self.queue.get())

    def post(self, replies):
        if replies:
            try:
                self.loop.call_soon_threadsafe(self.queue.put_nowait, replies)
            except RuntimeError:
                pass
