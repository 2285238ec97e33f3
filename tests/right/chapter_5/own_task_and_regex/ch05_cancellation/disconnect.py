"""The app stays in the caller's own task, which the listener cancels as asyncio.timeout does."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

log = logging.getLogger(__name__)


class Body:
    """What was read ahead of the app: a deque, and an event for each of its two sides."""

    def __init__(self, receive):
        self.receive = receive
        self.ahead: deque[dict] = deque()
        self.arrived, self.taken = asyncio.Event(), asyncio.Event()
        self.after: dict | Exception | None = None  # what follows the last message of the body

    async def read(self) -> None:
        """Read on until the client has left."""
        complete = False
        try:
            while self.after is None:
                while len(self.ahead) >= 2 and not complete:
                    self.taken.clear()
                    await self.taken.wait()
                message = await self.receive()
                if message["type"] == "http.disconnect":
                    self.after = message
                else:
                    self.ahead.append(message)
                    complete = not message.get("more_body", False)
                self.arrived.set()
        except Exception as error:
            self.after = error
            self.arrived.set()
            raise

    async def take(self) -> dict:
        """The app's `receive`."""
        while not self.ahead:
            if isinstance(self.after, Exception):
                raise self.after
            if self.after is not None:
                return self.after
            self.arrived.clear()
            await self.arrived.wait()
        self.taken.set()
        return self.ahead.popleft()


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        call = asyncio.current_task()
        before = call.cancelling()
        body, raised = Body(receive), None
        left = over = False

        def read_out(listener: asyncio.Task) -> None:
            nonlocal left
            heard = not listener.cancelled() and listener.exception() is None
            if heard and not over and call.cancelling() == before:
                left = True
                call.cancel()

        listener = asyncio.create_task(body.read())
        listener.add_done_callback(read_out)
        try:
            await self.app(scope, body.take, send)
        except BaseException as error:
            raised = error
        over = True
        cancelled = raised if isinstance(raised, asyncio.CancelledError) else None
        listener.cancel()
        while not listener.done():
            try:
                await asyncio.wait({listener})
            except asyncio.CancelledError as error:
                cancelled = error
        if left:
            call.uncancel()
        if call.cancelling() > before:
            raise cancelled or asyncio.CancelledError
        if raised is not None and not left:
            raise raised
        if isinstance(raised, Exception):
            log.error("the app failed after its client had left", exc_info=raised)
