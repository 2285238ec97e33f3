"""Design: an asyncio.Condition; since `apply` cannot wait for its lock, a small task notifies."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply

log = logging.getLogger(__name__)


class Mailbox(RequestState):
    def __init__(self, uid: str):
        super().__init__(uid)
        self._arrived = asyncio.Condition()
        self._read = self._waiting = 0
        self._notifier: asyncio.Task | None = None  # a loop keeps only weak references to tasks

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        on_its_way = self._notifier is not None and not self._notifier.done()
        if self._waiting and not on_its_way:
            self._notifier = asyncio.get_running_loop().create_task(self._notify())

    async def _notify(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    async def take(self) -> list[Reply]:
        self._waiting += 1
        try:
            async with self._arrived:
                await self._arrived.wait_for(lambda: len(self.replies) > self._read)
                start, self._read = self._read, len(self.replies)
                return self.replies[start:]
        finally:
            self._waiting -= 1


class Listener:
    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        for reply in replies:
            with logged(f"delivering to {reply.uid}"):
                self.registry.deliver(reply)


@contextlib.contextmanager
def logged(what: str):
    """Exceptions inside are logged as errors and go no further."""
    try:
        yield
    except Exception:
        log.exception("%s failed", what)
