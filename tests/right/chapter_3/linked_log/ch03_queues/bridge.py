"""Design: a list under a lock; the first post since the last look wakes the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from chapters.core import Reply


class Bridge:
    """Posts that come before the loop has looked reach `deliver` together, in order."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver
        self._lock = threading.Lock()  # held for moments only, by either side
        self._pending: list[Reply] = []

    def post(self, replies: list[Reply]) -> None:
        if not replies:
            return
        with self._lock:
            first = not self._pending
            self._pending += replies
        if first:
            try:
                self.loop.call_soon_threadsafe(self._flush)
            except RuntimeError:  # closed: the server has ended
                self._swap()

    def _swap(self) -> list[Reply]:
        with self._lock:
            pending, self._pending = self._pending, []
        return pending

    def _flush(self) -> None:
        self.deliver(self._swap())
