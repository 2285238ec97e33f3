"""The call itself listens; the end of the app is a timeout, `asyncio.timeout`, that ends it."""

from __future__ import annotations

import asyncio
import logging

from chapters.ch05_cancellation.ahead import ReadAhead

log = logging.getLogger(__name__)


class CancelOnDisconnect:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        ahead = ReadAhead(receive)
        app = asyncio.create_task(self.app(scope, ahead.receive, send))
        try:
            await until_done(app, ahead.listen())
            by_itself = app.done()
        finally:
            # Not `await app`: that would hand a second cancellation on to it.
            interrupted = None
            app.cancel()
            while not app.done():
                try:
                    await asyncio.wait({app})
                except asyncio.CancelledError as error:
                    interrupted = error
            if interrupted:
                raise interrupted
        if by_itself:
            app.result()
        elif not app.cancelled() and app.exception():
            log.error("the app failed after its client had left", exc_info=app.exception())


async def until_done(task: asyncio.Task, work) -> None:
    """Await `work`, but no longer than the task lives."""
    now = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(None) as limit:

            def expire(_) -> None:
                limit.reschedule(now())

            task.add_done_callback(expire)
            try:
                await work
            finally:
                task.remove_done_callback(expire)
    except TimeoutError:
        if not limit.expired():
            raise
