"""The app's own reads and the watching share one lock; what is read too early is put aside."""

import asyncio


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        aside, reading, space = [], asyncio.Lock(), asyncio.Event()
        space.set()
        app, outside = None, []

        async def read():
            async with reading:
                message = await receive()
            if message["type"] == "http.disconnect":
                if not outside:
                    app.cancel("the client has left")
                await asyncio.Event().wait()
            return message

        async def watch():
            while True:
                await space.wait()
                message = await read()
                aside.append(message)
                if len(aside) > 2:
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
        while not (app.done() and watcher.done()):
            try:
                await asyncio.wait([watcher if app.done() else app])
            except asyncio.CancelledError as error:
                if not outside and app.cancelling() == 0:
                    app.cancel()
                outside.append(error)
            if app.done():
                watcher.cancel()
        if outside:
            raise outside[0]
        if not app.cancelled():
            await app
