"""Design: pages. Replies go on the current page; the taker tears it off, a new one lies below."""

from __future__ import annotations

import asyncio
import logging

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply

log = logging.getLogger(__name__)


class Page:
    """Replies nobody has read yet, and whether there are any."""

    __slots__ = ("lines", "written")

    def __init__(self):
        self.lines: list[Reply] = []
        self.written = asyncio.Event()


class Mailbox(RequestState):
    """Each page's event is set at most once and never cleared."""

    def __init__(self, uid: str):
        super().__init__(uid)
        self._page = Page()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        self._page.lines.append(reply)
        self._page.written.set()

    async def take(self) -> list[Reply]:
        await self._page.written.wait()  # a cancellation here leaves the page in its place
        page, self._page = self._page, Page()
        return page.lines


class Listener:
    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        todo = iter(replies)
        while True:
            try:
                for reply in todo:
                    self.registry.deliver(reply)
                return
            except Exception:
                log.error("could not deliver %r", reply, exc_info=True)
