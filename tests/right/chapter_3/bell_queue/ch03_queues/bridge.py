"""Design: ask forgiveness. The call is made, and only a loop that is really closed is forgiven."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from chapters.core import Reply


class Bridge:
    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver

    def post(self, replies: list[Reply]) -> None:
        if len(replies) == 0:
            return
        batch = tuple(replies)  # the caller may go on filling its list
        try:
            self.loop.call_soon_threadsafe(self._arrive, batch)
        except RuntimeError:
            if not self.loop.is_closed():
                raise

    def _arrive(self, batch: tuple[Reply, ...]) -> None:
        """On the loop."""
        self.deliver(list(batch))
