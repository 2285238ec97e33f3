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
                if len(waiting) > 1:
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
        try:
            gone = await poll()
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        if gone and not task.done():
            task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            if not gone:
                raise
