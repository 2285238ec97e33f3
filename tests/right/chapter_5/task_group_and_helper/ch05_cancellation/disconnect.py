"""A TaskGroup holds both; an exception of our own ends the group."""

import asyncio

from chapters.ch05_cancellation.pipes import Pipe


class _Gone(Exception):
    pass


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
            raise _Gone

        try:
            async with asyncio.TaskGroup() as group:
                watcher = group.create_task(watch())
                group.create_task(work())
        except* _Gone:
            pass
        if outcome:
            raise outcome[0]
