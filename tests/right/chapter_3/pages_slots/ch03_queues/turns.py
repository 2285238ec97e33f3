"""Design: __slots__ and a deque of uids; a guard drops whoever does not go on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, closing

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
    __slots__ = ("_ring", "core", "new_text", "refused", "running")

    def __init__(self, core: Core, new_text: Callable[..., TextDecoder] = WholeText):
        self.core, self.new_text = core, new_text
        self.running: dict[str, Generation] = {}
        self.refused: list[Reply] = []
        self._ring: deque[str] = deque()

    @property
    def busy(self) -> bool:
        return bool(self._ring or self.refused)

    def receive(self, message: GenerationRequest | Abort) -> None:
        if not isinstance(message, GenerationRequest):
            return
        try:
            generation = Generation(self.core, message, self.new_text)
        except ValueError as error:
            failure = Failure("invalid_request", str(error))
            self.refused.append(Reply(message.uid, error=failure))
        else:
            self.running[message.uid] = generation
            self._ring.append(message.uid)

    def turn(self) -> list[Reply]:
        replies = []
        for uid in tuple(self._ring):
            if uid in self.running:
                replies.append(self.step(uid))
        replies += self.refused
        self.refused = []
        return replies

    def step(self, uid: str) -> Reply:
        with ExitStack() as guard:
            guard.callback(self.drop, uid)
            try:
                reply = self.running[uid].step()
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                return Reply(uid, error=Failure("server_error", text))
            if not reply.last:
                guard.pop_all()  # it goes on
            return reply

    def drop(self, uid: str) -> None:
        if uid in self.running:
            with closing(self.running.pop(uid)):
                self._ring.remove(uid)
