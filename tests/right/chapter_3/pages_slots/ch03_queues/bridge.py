"""Design: nothing kept; a snapshot of each batch travels in the one call that wakes the loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

from chapters.core import Reply


class Bridge:
    __slots__ = ("deliver", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver

    def post(self, replies: list[Reply]) -> None:
        if call := replies and partial(self.deliver, replies.copy()):
            with contextlib.suppress(RuntimeError):  # a closed loop
                self.loop.call_soon_threadsafe(call)
