"""Design: an OrderedDict walked front to back; every ending of a request goes through `drop`."""

from __future__ import annotations

from collections import OrderedDict
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
    """Requests in the order of their coming."""

    def __init__(self, core: Core, new_text: Callable[..., TextDecoder] = WholeText):
        self.core, self.new_text = core, new_text
        self.running: OrderedDict[str, Generation] = OrderedDict()
        self.refused: list[Reply] = []

    @property
    def busy(self) -> bool:
        return bool(self.running) or bool(self.refused)

    def receive(self, message: GenerationRequest | Abort) -> None:
        match message:
            case GenerationRequest(uid=uid):
                try:
                    self.running[uid] = Generation(self.core, message, self.new_text)
                except ValueError as error:
                    failure = Failure("invalid_request", str(error))
                    self.refused.append(Reply(uid, error=failure))
            case Abort():
                pass  # chapter 5

    def turn(self) -> list[Reply]:
        replies = self.refused[:]
        self.refused.clear()
        for uid in tuple(self.running):
            if uid in self.running:  # a step may have dropped another
                replies.append(self.step(uid))
        return replies

    def step(self, uid: str) -> Reply:
        try:
            reply = self.running[uid].step()
        except Exception as error:
            reply = Reply(uid, error=Failure("server_error", f"{type(error).__name__}: {error}"))
        if reply.last:
            self.drop(uid)
        return reply

    def drop(self, uid: str) -> None:
        generation = self.running.pop(uid, None)
        if generation is not None:
            generation.close()
