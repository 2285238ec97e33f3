"""Design: a linked log of replies, an event in each node; the taker follows it with a cursor."""

from __future__ import annotations

import logging

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.ch03_queues.nodes import Node
from chapters.core import Reply

log = logging.getLogger(__name__)


class Mailbox(RequestState):
    """No event is ever cleared, so no wake-up can be lost."""

    def __init__(self, uid: str):
        super().__init__(uid)
        self._cursor = self._end = Node()

    def apply(self, reply: Reply) -> None:
        super().apply(reply)
        self._end = self._end.fill(reply)

    async def take(self) -> list[Reply]:
        await self._cursor.filled.wait()
        fresh = []
        while self._cursor is not self._end:
            fresh.append(self._cursor.value)
            self._cursor = self._cursor.behind
        return fresh


class Listener:
    def __init__(self, registry: Registry):
        self.registry = registry

    def deliver(self, replies: list[Reply]) -> None:
        for reply in replies:
            self._deliver_one(reply)

    def _deliver_one(self, reply: Reply) -> None:
        try:
            self.registry.deliver(reply)
        except Exception as error:
            log.error("request %s: reply lost: %r", reply.uid, error, exc_info=error)
