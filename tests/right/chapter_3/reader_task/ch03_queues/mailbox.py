"""Waiters stand in a list, and a reply wakes all of them; an index for each state."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        super().__init__(uid)
        self.waiters, self.next = [], 0

    def apply(self, reply):
        super().apply(reply)
        while self.waiters:
            waiter = self.waiters.pop()
            if not waiter.cancelled():
                waiter.set_result(None)

    def _new(self):
        new = self.replies[self.next :]
        self.next = len(self.replies)
        return new

    async def take(self):
        new = self._new()
        while not new:
            self.waiters.append(asyncio.get_running_loop().create_future())
            await self.waiters[-1]
            new = self._new()
        return new


class Listener:
    log = logging.getLogger("chapter 3")

    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        for number, reply in enumerate(replies):
            try:
                self.registry.deliver(reply)
            except Exception as error:
                self.log.error("reply %d of %d", number, len(replies), exc_info=error)
