"""Design: a deque of untaken replies, and a bell: a queue of one place; ringing twice is once."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply

log = logging.getLogger(__name__)


class Mailbox(RequestState):
    def __init__(self, uid: str):
        super().__init__(uid)
        self._untaken: deque[Reply] = deque()
        self._bell: asyncio.Queue[None] = asyncio.Queue(maxsize=1)

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        self._untaken.append(reply)
        if not self._bell.full():
            self._bell.put_nowait(None)

    async def take(self) -> list[Reply]:
        while not self._untaken:
            await self._bell.get()
        taken = list(self._untaken)
        self._untaken.clear()
        return taken


class Listener:
    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        waiting = deque(replies)
        try:
            while waiting:
                self.registry.deliver(waiting.popleft())
        except Exception as error:
            log.error("a reply was not delivered: %s", error, exc_info=True)
            self.deliver(list(waiting))
