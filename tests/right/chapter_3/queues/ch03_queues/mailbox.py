"""An asyncio.Queue is a store and a way to wake in one."""

import asyncio
from logging import getLogger

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid: str):
        super().__init__(uid)
        self.queue: asyncio.Queue = asyncio.Queue()

    def apply(self, reply):
        super().apply(reply)
        self.queue.put_nowait(reply)

    async def take(self):
        replies = [await self.queue.get()]
        while not self.queue.empty():
            replies.append(self.queue.get_nowait())
        return replies


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except Exception as error:
                getLogger("listener").warning("not delivered: %r", error)
