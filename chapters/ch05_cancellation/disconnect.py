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

        It is given HTTP requests only. The client has left when `receive()` returns
        {"type": "http.disconnect"}. The app may be waiting for anything then: a token, its own
        `receive`, its own `send`; up to two messages of its body may still be unread. Its task
        is cancelled once and awaited, so that its clean-up is over when this returns. That ends
        quietly: nothing is raised. Only an error of that clean-up may be, or else it is logged.

        The app's `receive` gives it every message of its body, in order and unchanged. Then it
        waits: an app whose client leaves is cancelled, and need not be told as well. At most
        three messages are read before the app asks for them: a large body waits at the client.
        An app that ends by itself is never cancelled; if it raises, this raises the same.

        If this call itself is cancelled, the app is too, and once it has ended the cancellation
        is raised on: the exception that came, by which a scope around this call knows its own.
        All of this also holds if it is cancelled once more while the app cleans up, or cancelled
        after the client has left. A client that leaves while the app cleans up changes nothing.

        No task is left behind. One layer serves many calls at the same time.
        """
        raise NotImplementedError("Task 5.2: notice that the client has left")
