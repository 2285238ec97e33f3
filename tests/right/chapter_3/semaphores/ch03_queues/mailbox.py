"""Design: `replies` is the store, a cursor marks what is taken, a semaphore is the wake-up."""

from __future__ import annotations

import asyncio
import logging

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply

log = logging.getLogger(__name__)


class Mailbox(RequestState):
    """A permit says "look again", no more: what there is to take, only the store knows."""

    def __init__(self, uid: str):
        super().__init__(uid)
        self._taken = 0
        self._bell = asyncio.Semaphore(0)

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        self._bell.release()

    async def take(self) -> list[Reply]:
        while self._taken == len(self.replies):
            await self._bell.acquire()
        fresh = self.replies[self._taken :]
        self._taken += len(fresh)
        return fresh


class Listener:
    """Delivers to all; a reply that cannot be delivered is logged and left behind."""

    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except Exception:
                log.exception("a reply of request %s could not be delivered", reply.uid)
