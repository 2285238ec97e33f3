"""Task 3.2: from the worker's thread to the event loop.

An event loop belongs to one thread. Nothing of it, no future, no event, no queue, may be
touched from another one; the single door is `loop.call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from chapters.core import Reply


class Bridge:
    """Carries replies across.

    loop: the event loop to reach; deliver: called there with a list of replies.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Reply]], None]):
        self.loop, self.deliver = loop, deliver

    def post(self, replies: list[Reply]) -> None:
        """Have `deliver(replies)` called on the loop, soon. May be called from any thread.

        Returns at once: the worker must not wait for the loop, nor for a `deliver` under way. All
        replies of one call reach `deliver` together, in order, by one wake-up of the loop; no
        replies, no call. Those of several calls come in the order of the calls, one after the
        other or joined into one. The caller does not touch its list again. A loop that does not
        run just now gets them when it does. Once it is closed, and be it between two of your
        lines, the server has ended and replies are dropped: nothing is raised.
        """
        # BEGIN SOLUTION
        if replies and not self.loop.is_closed():
            with contextlib.suppress(RuntimeError):  # it was closed just now
                self.loop.call_soon_threadsafe(self.deliver, replies)
        # END SOLUTION
