"""A semaphore counts what is unread; a state is held, not inherited from."""

import asyncio
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox:
    def __init__(self, uid):
        self.state = RequestState(uid)
        self.unread = asyncio.Semaphore(0)
        self.position = 0

    @property
    def uid(self):
        return self.state.uid

    @property
    def replies(self):
        return self.state.replies

    @property
    def finished(self):
        return self.state.finished

    def apply(self, reply):
        self.state.apply(reply)
        self.unread.release()

    async def take(self):
        await self.unread.acquire()
        new = self.replies[self.position :]
        self.position += len(new)
        for _ in new[1:]:
            await self.unread.acquire()
        return new


class Listener:
    def __init__(self, registry):
        self.deliver = lambda replies: [guarded(registry.deliver, reply) for reply in replies]


def guarded(deliver, reply):
    try:
        deliver(reply)
    except Exception as error:
        logging.critical("%r: %r", reply, error)
