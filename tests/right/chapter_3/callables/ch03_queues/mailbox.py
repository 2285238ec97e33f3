"""Two events that take turns, and `replies` cut at a mark."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    mark = 0

    def __init__(self, uid):
        super().__init__(uid)
        self.event = None

    def apply(self, reply):
        super().apply(reply)
        if self.event:
            self.event.set()

    async def take(self):
        while not (new := self.replies[self.mark :]):
            self.event = asyncio.Event()
            try:
                await self.event.wait()
            finally:
                self.event = None
        self.mark += len(new)
        return new


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except BaseException as error:
                if not isinstance(error, Exception):
                    raise
                logging.error("no delivery: %s", error)
