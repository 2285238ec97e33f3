"""An anyio.Event is set once and replaced; replies are cut off the unread ones."""

import logging

import anyio

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        super().__init__(uid)
        self.unread = []
        self.event = anyio.Event()

    def apply(self, reply):
        RequestState.apply(self, reply)
        self.unread += [reply]
        self.event.set()

    async def take(self):
        if not self.unread:
            await self.event.wait()
        self.event = anyio.Event()
        unread, self.unread = self.unread, []
        return unread


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        position = 0
        while position < len(replies):
            try:
                for reply in replies[position:]:
                    position += 1
                    self.registry.deliver(reply)
            except Exception:
                logging.getLogger().exception("reply %d of this turn", position)
