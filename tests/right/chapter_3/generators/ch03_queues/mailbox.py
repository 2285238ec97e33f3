"""A chain of futures: each reply is the result of one, and brings the next one along."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        super().__init__(uid)
        self.read = self.write = asyncio.get_running_loop().create_future()

    def apply(self, reply):
        super().apply(reply)
        link, self.write = self.write, asyncio.get_running_loop().create_future()
        link.set_result((reply, self.write))

    async def take(self):
        await asyncio.wait([self.read])  # does not cancel the link when it is cancelled
        replies = []
        while self.read.done():
            reply, self.read = self.read.result()
            replies.append(reply)
        return replies


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except Exception:
                logging.exception("reply lost")
