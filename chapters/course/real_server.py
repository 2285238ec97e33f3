"""A real server on a free port, in a thread of this process."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from chapters.course.checking import fail


class _Server(uvicorn.Server):
    """uvicorn's server, which tells another thread when it serves, or that it never will."""

    def __init__(self, config: uvicorn.Config):
        super().__init__(config)
        self.settled = threading.Event()

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        self.settled.set()

    def serve_in_thread(self, listener: socket.socket, debug: bool) -> None:
        try:
            asyncio.run(self.serve(sockets=[listener]), debug=debug)
        finally:
            self.settled.set()


@contextmanager
def running(
    app, before_end: Callable[[], None] = lambda: None, *, debug: bool = True
) -> Iterator[str]:
    """A real server on a free port of 127.0.0.1, in a thread; yields "http://127.0.0.1:PORT".

    before_end: called before the server is stopped, whatever happened, to open every gate.
    debug: asyncio's debug mode, for checks; leave it out where time is measured.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    server = _Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.serve_in_thread, args=[listener, debug], name="server")
    thread.start()
    try:
        server.settled.wait()
        if not server.started:
            fail("nobody can be served", got="the server ended while it was starting")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        before_end()
        server.should_exit = True
        thread.join()
        listener.close()
