"""Design: a deque of batches; each post appends one and wakes the loop to take the oldest."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from chapters.core import Reply


class Bridge:
    """deque.append and deque.popleft are atomic, so no lock is needed."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver
        self._batches: deque[list[Reply]] = deque()

    def post(self, replies: list[Reply]) -> None:
        if not replies:
            return
        self._batches.append(list(replies))
        try:
            self.loop.call_soon_threadsafe(self._next)
        except RuntimeError:  # the loop is closed: nobody will ever read them
            self._batches.clear()

    def _next(self) -> None:
        self.deliver(self._batches.popleft())
