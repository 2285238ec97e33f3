"""No listener task while the body is coming through: one future for "gone", many callbacks."""

import asyncio
import contextlib


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    def __call__(self, scope, receive, send):
        return _Call(receive).run(self.app, scope, send)


class _Call:
    """One call. A single read of the server's `receive` is under way at any time."""

    def __init__(self, receive):
        self.loop = asyncio.get_running_loop()
        self.server, self.ready, self.waiters = receive, [], []
        self.reading = None
        self.gone = self.loop.create_future()

    def read(self):
        if self.reading is None and not self.gone.done() and len(self.ready) < 3:
            self.reading = self.loop.create_task(self.server())
            self.reading.add_done_callback(self.arrived)

    def arrived(self, task):
        self.reading = None
        if task.cancelled() or self.gone.done():
            return
        message = task.result()
        if message["type"] == "http.disconnect":
            self.gone.set_result(None)
            return
        self.ready.append(message)
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)
        self.waiters.clear()
        self.read()

    async def receive(self):
        while not self.ready:
            self.waiters.append(self.loop.create_future())
            await self.waiters[-1]
        message = self.ready.pop(0)
        self.read()
        return message

    async def run(self, app, scope, send):
        self.read()
        task = self.loop.create_task(app(scope, self.receive, send))
        try:
            await asyncio.wait([task, self.gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
            self.gone.cancel()
            if self.reading is not None:
                self.reading.cancel()
            await end_of(task)
        if not task.cancelled() and task.exception() is not None:
            raise task.exception()


async def end_of(task):
    """Returns when it has ended; whoever cancels this meanwhile is heard only then."""
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        raise
