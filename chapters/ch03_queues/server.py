"""Chapter 3's server: a worker thread computes while the event loop waits for all.

Later chapters are subclasses that name what they put in the place of a part.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial

from starlette.routing import Route

from chapters.ch01_http.server import make_app
from chapters.ch02_request_ids.ids import EchoRequestId
from chapters.ch02_request_ids.server import TracedRegistry
from chapters.ch03_queues.backend import Backend, WaitingAnswer
from chapters.ch03_queues.bridge import Bridge
from chapters.ch03_queues.mailbox import Listener, Mailbox
from chapters.ch03_queues.status import Status
from chapters.ch03_queues.turns import Turns
from chapters.ch03_queues.worker import Worker
from chapters.core import Core, WholeText


class Server:
    """The parts of one service, put together; `app` is the ASGI app."""

    new_text, new_turns, new_mailbox = WholeText, Turns, Mailbox
    new_backend, new_answer = Backend, WaitingAnswer
    around = staticmethod(lambda handler: handler)
    streaming = False

    def __init__(self, core: Core):
        self.core = core
        self.registry = TracedRegistry(self.new_mailbox)
        self.worker = Worker(self.new_turns(core, self.new_text))
        self.backend = self.new_backend(core, self.registry, self.worker.put)
        status = Status(core, self.registry, self.worker, self.backend)
        self.app = EchoRequestId(
            make_app(
                core,
                self.new_answer(self.backend),
                streaming=self.streaming,
                around=self.around,
                health=status.health,
                routes=[Route("/stats", status.stats)],
                lifespan=self.lifespan,
            )
        )

    @asynccontextmanager
    async def lifespan(self, app):
        """The worker lives as long as the server serves."""
        loop = asyncio.get_running_loop()
        bridge = Bridge(loop, Listener(self.registry).deliver)
        # One step of the loop later than it could be: it overtakes no answer that is on its way.
        died = partial(loop.call_soon_threadsafe, loop.call_soon, self.backend.died)
        self.worker.start(bridge.post, died)
        yield
        await asyncio.to_thread(self.worker.stop)


def build(core: Core):
    """The server as of this chapter, an ASGI app."""
    return Server(core).app
