"""A monitor: one asyncio.Condition guards what was read ahead; two tasks, and the first to end."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

import anyio

log = logging.getLogger(__name__)
DISCONNECT = {"type": "http.disconnect"}


class Window:
    """At most two messages of the body that the app has not taken yet."""

    def __init__(self, receive):
        self.receive = receive
        self.changed = asyncio.Condition()
        self.unread: deque[dict] = deque()
        self.complete = self.left = False

    async def listen(self) -> None:
        """Returns when the client has left."""
        while not self.left:
            async with self.changed:
                await self.changed.wait_for(lambda: self.complete or len(self.unread) < 2)
            message = await self.receive()
            async with self.changed:
                if message["type"] == DISCONNECT["type"]:
                    self.left = True
                else:
                    self.unread.append(message)
                    self.complete = not message.get("more_body")
                self.changed.notify_all()

    async def take(self) -> dict:
        """The app's `receive`."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.unread or self.left)
            self.changed.notify_all()
            return self.unread.popleft() if self.unread else dict(DISCONNECT)


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        window = Window(receive)
        work = asyncio.create_task(self.app(scope, window.take, send))
        ears = asyncio.create_task(window.listen())
        try:
            await asyncio.wait({work, ears}, return_when=asyncio.FIRST_COMPLETED)
            by_itself = work.done()
        finally:
            work.cancel()
            ears.cancel()
            await ended(work, ears)
        if by_itself:
            return work.result()
        if not work.cancelled() and work.exception():
            log.error("the app's clean-up failed", exc_info=work.exception())
        ears.result()


async def ended(*tasks: asyncio.Task) -> None:
    """Wait until all have; a cancellation meanwhile is raised then.

    The shield holds off anyio's scopes, which cancel again and again; a task's own `cancel` it
    does not hold off.
    """
    cancelled = None
    with anyio.CancelScope(shield=True):
        while not all(task.done() for task in tasks):
            try:
                await asyncio.wait(tasks)
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled:
        raise cancelled
