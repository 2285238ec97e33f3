"""A TaskGroup holds both, and each of the two ends the other."""

import asyncio

from chapters.ch05_cancellation.pipes import Pipe


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        pipe, outcome = Pipe(receive), []

        async def work():
            try:
                await self.app(scope, pipe.take, send)
            except Exception as error:
                outcome.append(error)
            watcher.cancel()

        async def watch():
            await pipe.fill()
            worker.cancel()

        async with asyncio.TaskGroup() as group:
            watcher = group.create_task(watch())
            worker = group.create_task(work())
        if outcome:
            raise outcome[0]
