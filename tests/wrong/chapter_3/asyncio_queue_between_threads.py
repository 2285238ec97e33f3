"""Puts replies into an asyncio.Queue from the worker's thread.

misunderstood: a queue is a queue
seen in: cpython#97970, ScaleLLM#324
task: 3.2
check: test_wakes_the_loop
"""


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.queue = asyncio.Queue()
        if not loop.is_closed():
            self.reader = loop.create_task(self.read())

    async def read(self):
        while True:
            self.deliver(await self.queue.get())

    def post(self, replies):
        if replies and not self.loop.is_closed():
            self.queue.put_nowait(replies)
