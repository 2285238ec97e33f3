"""Task 5.2: notice that the client has left, whatever the app is waiting for.

uvicorn tells it in one way only: `receive()` returns http.disconnect. An app that waits for a
token, or writes to a socket that nobody reads, hears nothing; so somebody has to listen beside
it.

Source: ASGI, "HTTP connection scope": disconnect.
"""

from __future__ import annotations

import asyncio


class CancelOnDisconnect:
    """An ASGI layer around one app: cancels it when its client leaves."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
        """Run `self.app(scope, receive, send)` to its end, or cancel it when the client leaves.

        The client has left when `receive()` returns {"type": "http.disconnect"}. The app may be
        waiting for anything then: a token, its own `receive`, its own `send`; it may not even
        have read its body. Its task is cancelled once and awaited, so that its clean-up is over
        when this returns; that ends quietly: nothing is raised.

        The app's `receive` gives it every message of its body, in order and unchanged. At most
        two messages are read before the app asks for them: a large body waits at the client.
        An app that ends by itself is never cancelled; if it raises, this raises the same.
        If this call itself is cancelled, the app is too, and once it has ended the cancellation
        is raised on. No task is left behind. One layer serves many calls at the same time.
        """
        # BEGIN SOLUTION
        inbox: asyncio.Queue = asyncio.Queue(1)

        async def listen():
            while (message := await receive())["type"] != "http.disconnect":
                await inbox.put(message)

        app = asyncio.ensure_future(self.app(scope, inbox.get, send))
        listener = asyncio.ensure_future(listen())
        try:
            await asyncio.wait({app, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listener.cancel()
            app.cancel()
            await asyncio.wait({app, listener})
        if not app.cancelled():
            app.result()
        # END SOLUTION
