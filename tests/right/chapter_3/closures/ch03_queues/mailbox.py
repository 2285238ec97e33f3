"""An asyncio.Condition's lock is never waited for; a task would be too much. So: one Event."""

import asyncio
import sys
import logging

from chapters.ch02_request_ids.state import RequestState


class Mailbox(RequestState):
    def __init__(self, uid):
        RequestState.__init__(self, uid)
        self._arrived = asyncio.Event()
        self._given = 0

    def apply(self, reply):
        self.replies += [reply]
        self._arrived.set()

    async def take(self):
        await self._arrived.wait()
        self._arrived.clear()
        given, self._given = self._given, len(self.replies)
        return list(self.replies[given:])


class Listener:
    def __init__(self, registry):
        self.registry = registry

    def deliver(self, replies):
        first, *rest = replies
        try:
            self.registry.deliver(first)
        except Exception:
            logging.log(logging.ERROR, "could not deliver", exc_info=sys.exc_info())
        finally:
            if rest:
                self.deliver(rest)
