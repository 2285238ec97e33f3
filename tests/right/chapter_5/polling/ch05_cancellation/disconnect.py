"""Looks every few milliseconds; the messages of the body wait in a list."""

import asyncio

EVERY = 0.02


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        waiting, news = [], asyncio.Condition()

        async def next_message():
            async with news:
                await news.wait_for(lambda: waiting)
                return waiting.pop(0)

        async def poll():
            while not task.done():
                if len(waiting) > 2:
                    await asyncio.sleep(EVERY)
                    continue
                try:
                    message = await asyncio.wait_for(receive(), EVERY)
                except asyncio.TimeoutError:
                    continue
                if message["type"] == "http.disconnect":
                    return True
                async with news:
                    waiting.append(message)
                    news.notify()
            return False

        task = asyncio.create_task(self.app(scope, next_message, send))
        stop = None
        try:
            gone = await poll()
        except asyncio.CancelledError as error:
            stop = error
        if not task.done():
            task.cancel()
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as error:
                stop = error
        if stop:
            raise stop
        if not (gone and task.cancelled()):
            task.result()
