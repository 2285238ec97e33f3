"""Task 3.3: a store for replies and a way to wake the one who waits for them.

A store alone must be polled; a wake-up alone carries nothing and may come too early. All of
this runs on the event loop, so no lock is needed.
"""

from __future__ import annotations

import asyncio
import logging

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply

log = logging.getLogger(__name__)


class Mailbox(RequestState):
    """A request's state that can be waited for. One task takes, the listener applies.

    It stays what chapter 2 made of it: `uid`; `replies`, all of them, taken or not; and
    `finished`, which stays true when the last reply has been taken.
    """

    def __init__(self, uid: str):
        # BEGIN SOLUTION
        super().__init__(uid)
        self.taken = 0
        self.news = asyncio.Event()
        # END SOLUTION

    def apply(self, reply: Reply) -> None:
        """Take one more reply of this request, and wake whoever waits. Never waits itself."""
        # BEGIN SOLUTION
        super().apply(reply)
        self.news.set()
        # END SOLUTION

    async def take(self) -> list[Reply]:
        """All replies that came since the last call, in order; waits until there is one.

        With text or without, also an error: as they are. However long it takes. The list is the
        caller's own, who may add to it.
        If the waiting is cancelled, no reply is lost: the next call returns it.
        """
        # BEGIN SOLUTION
        while self.taken == len(self.replies):
            self.news.clear()
            await self.news.wait()
        new, self.taken = self.replies[self.taken :], len(self.replies)
        return new
        # END SOLUTION


class Listener:
    """The one place where replies arrive on the loop, for all requests."""

    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        """Hand each reply to the registry, in order.

        If that raises an Exception for one of them, it is logged as an error and the rest is
        delivered all the same: this listener is everybody's, and no reply may stop it.
        """
        # BEGIN SOLUTION
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except Exception:
                log.exception("a reply could not be delivered: %r", reply)
        # END SOLUTION
