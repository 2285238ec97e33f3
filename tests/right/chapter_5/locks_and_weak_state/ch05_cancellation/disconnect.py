"""The app's own reads and the watching share one lock; what is read too early is put aside."""

import asyncio
import contextlib


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        aside, reading, space = [], asyncio.Lock(), asyncio.Event()
        space.set()
        app = None

        async def read():
            async with reading:
                message = await receive()
            if message["type"] == "http.disconnect":
                app.cancel("the client has left")
                await asyncio.Event().wait()
            return message

        async def watch():
            while True:
                await space.wait()
                message = await read()
                aside.append(message)
                if len(aside) > 1:
                    space.clear()
                arrived.set()

        async def next_message():
            while not aside:
                arrived.clear()
                await arrived.wait()
            space.set()
            return aside.pop(0)

        arrived = asyncio.Event()
        app = asyncio.create_task(self.app(scope, next_message, send))
        watcher = asyncio.create_task(watch())
        outside = False
        try:
            await asyncio.wait([app])
        except asyncio.CancelledError:
            outside = True
            app.cancel()
            await asyncio.wait([app])
        watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watcher
        if outside:
            raise asyncio.CancelledError
        if not app.cancelled():
            await app
