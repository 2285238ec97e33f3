"""A future for each wait; the store is the state's own list."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        super().__init__(uid)
        self._read = 0
        self._bell = None

    def apply(self, reply):
        super().apply(reply)
        bell, self._bell = self._bell, None
        if bell is not None and not bell.done():
            bell.set_result(True)

    async def take(self):
        while self._read >= len(self.replies):
            self._bell = asyncio.get_running_loop().create_future()
            await self._bell
        start, self._read = self._read, len(self.replies)
        return self.replies[start:]


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def _one(self, reply):
        try:
            self.registry.deliver(reply)
        except Exception as error:
            logging.error("lost a reply of %s: %s", reply.uid, error, exc_info=error)

    def deliver(self, replies):
        list(map(self._one, replies))
