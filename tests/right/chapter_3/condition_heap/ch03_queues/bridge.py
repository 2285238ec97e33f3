"""Design: a SimpleQueue of batches; each wake-up drains all there are, a late one finds none."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Iterator

from chapters.core import Reply


class Bridge:
    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver
        self._outbox: queue.SimpleQueue[list[Reply]] = queue.SimpleQueue()

    def post(self, replies: list[Reply]) -> None:
        if replies:
            self._outbox.put(list(replies))
            try:
                self.loop.call_soon_threadsafe(self._drain)
            except RuntimeError:  # the loop is closed for good
                for _ in self._batches():
                    pass

    def _drain(self) -> None:
        """Should `deliver` raise, the wake-ups of the batches behind are still to come."""
        for batch in self._batches():
            self.deliver(batch)

    def _batches(self) -> Iterator[list[Reply]]:
        while True:
            try:
                yield self._outbox.get_nowait()
            except queue.Empty:
                return
