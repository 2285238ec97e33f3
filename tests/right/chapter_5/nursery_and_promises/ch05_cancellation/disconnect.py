"""An anyio task group, and the body as a chain of promises: each message brings the next one."""

from __future__ import annotations

import asyncio
import logging

import anyio

log = logging.getLogger(__name__)
AHEAD = 2


class Chain:
    """The listener keeps the promise at the end of the chain, the app waits for the first one."""

    def __init__(self):
        self.first = self.last = self._promise()
        self.ahead = 0
        self.complete = False
        self.room: asyncio.Event = asyncio.Event()

    @staticmethod
    def _promise() -> asyncio.Future:
        return asyncio.get_running_loop().create_future()

    def _keep(self, message: dict) -> None:
        kept, self.last = self.last, self._promise()
        kept.set_result((message, self.last))

    async def listen(self, receive) -> None:
        """Returns when the client has left."""
        while True:
            while self.ahead >= AHEAD and not self.complete:
                self.room.clear()
                await self.room.wait()
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.ahead += 1
            self.complete = not message.get("more_body", False)
            self._keep(message)

    async def receive(self) -> dict:
        """The app's. Cancelling it cancels no promise, so that nothing is lost."""
        await asyncio.wait({self.first})
        message, self.first = self.first.result()
        self.ahead -= 1
        self.room.set()
        return message


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        chain, raised, left = Chain(), None, False

        async def work(*, task_status) -> None:
            nonlocal raised
            task_status.started(asyncio.current_task())
            try:
                await self.app(scope, chain.receive, send)
            except BaseException as error:
                raised = error
            finally:
                nursery.cancel_scope.cancel()  # nobody needs to listen any more

        async with anyio.create_task_group() as nursery:
            app = await nursery.start(work)
            await chain.listen(receive)
            left = raised is None and not nursery.cancel_scope.cancel_called
            if left:
                app.cancel()  # the task's own: once, where the scope's would come again and again
        if not left and raised is not None:
            raise raised
        if isinstance(raised, Exception):
            log.error("the app failed after its client had left", exc_info=raised)
