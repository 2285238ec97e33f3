"""An asyncio.Queue: the first is waited for, the rest is drained."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        super().__init__(uid)
        self.queue = asyncio.Queue()

    def apply(self, reply):
        super().apply(reply)
        self.queue.put_nowait(reply)

    async def take(self):
        taken = [await self.queue.get()]
        while True:
            try:
                taken.append(self.queue.get_nowait())
            except asyncio.QueueEmpty:
                return taken


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies, log=logging.getLogger(__name__)):
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except Exception as error:
                log.critical("%r: %r", reply, error)
