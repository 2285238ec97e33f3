"""A reactor: the call itself waits for the app, the next message and room for it, in one loop."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

log = logging.getLogger(__name__)
AHEAD = 2  # messages read before the app asks


class Desk:
    """Where messages lie until the app takes them. Every change makes a new future to wait for."""

    def __init__(self):
        self.messages: deque[dict] = deque()
        self.complete = self.left = False
        self.changed = asyncio.get_running_loop().create_future()

    @property
    def room(self) -> bool:
        return self.complete or len(self.messages) < AHEAD

    def _change(self) -> None:
        self.changed.set_result(None)
        self.changed = asyncio.get_running_loop().create_future()

    def put(self, message: dict) -> None:
        if message["type"] == "http.disconnect":
            self.left = True
        else:
            self.messages.append(message)
            self.complete = not message.get("more_body", False)
        self._change()

    async def take(self) -> dict:
        while not self.messages:
            if self.left:
                return {"type": "http.disconnect"}
            await asyncio.wait({self.changed})
        message = self.messages.popleft()
        self._change()
        return message


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        desk, coming, stopped_by = Desk(), None, None
        app = asyncio.create_task(self.app(scope, desk.take, send))
        try:
            while not app.done() and not desk.left:
                if coming is None and desk.room:
                    coming = asyncio.ensure_future(receive())
                waiting = {app, coming or desk.changed}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if coming is not None and coming.done():
                    desk.put(coming.result())
                    coming = None
        except BaseException as error:
            stopped_by = error
        by_itself = app.done()
        for task in filter(None, (app, coming)):
            stopped_by = await _stop(task) or stopped_by
        failure = None if app.cancelled() else app.exception()
        if stopped_by is not None:
            raise stopped_by
        if by_itself:
            app.result()
        elif failure is not None:
            log.error("the app failed while it was being cancelled", exc_info=failure)


async def _stop(task: asyncio.Future) -> asyncio.CancelledError | None:
    """Cancel once and wait for the end; also while this is cancelled, which is returned."""
    interrupted = None
    task.cancel()
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            interrupted = error
    return interrupted
