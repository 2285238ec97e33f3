"""Design: a heap ordered by (tokens had, number of arrival), as a virtual-time scheduler has it."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from chapters.core import (
    Abort,
    Core,
    Failure,
    Generation,
    GenerationRequest,
    Reply,
    TextDecoder,
    WholeText,
)


class Turns:
    """An entry (round, arrival, uid) is due in its round; one whose request is gone is skipped."""

    def __init__(self, core: Core, new_text: Callable[..., TextDecoder] = WholeText):
        self.core, self.new_text = core, new_text
        self.running: dict[str, Generation] = {}
        self.refused: list[Reply] = []
        self._heap: list[tuple[int, int, str]] = []
        self._round, self._arrivals = 0, itertools.count()

    @property
    def busy(self) -> bool:
        return len(self.running) + len(self.refused) > 0

    def receive(self, message: GenerationRequest | Abort) -> None:
        if isinstance(message, Abort):
            return
        uid = message.uid
        try:
            self.running[uid] = Generation(self.core, message, self.new_text)
        except ValueError as error:
            self.refused.append(Reply(uid, error=Failure("invalid_request", str(error))))
        else:
            heapq.heappush(self._heap, (self._round, next(self._arrivals), uid))

    def turn(self) -> list[Reply]:
        replies, self.refused = self.refused, []
        while self._heap and self._heap[0][0] == self._round:
            _, arrival, uid = heapq.heappop(self._heap)
            if uid not in self.running:
                continue  # dropped since
            replies.append(self.step(uid))
            if uid in self.running:
                heapq.heappush(self._heap, (self._round + 1, arrival, uid))
        self._round += 1
        return replies

    def step(self, uid: str) -> Reply:
        try:
            reply = self.running[uid].step()
        except Exception as error:
            reply = Reply(uid, error=Failure("server_error", str(error) or type(error).__name__))
        if reply.last:
            self.drop(uid)
        return reply

    def drop(self, uid: str) -> None:
        """What it still had to be told, it is not told either."""
        self.refused = [reply for reply in self.refused if reply.uid != uid]
        if generation := self.running.pop(uid, None):
            generation.close()
