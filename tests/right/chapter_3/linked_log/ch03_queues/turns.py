"""Design: each request lives in a generator of replies, which guards its own ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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


def life(generation: Generation) -> Iterator[Reply]:
    """All replies of one request; whatever goes wrong is the last of them."""
    failure = None
    try:
        while True:
            reply = generation.step()
            yield reply
            if reply.last:
                return
    except Exception as error:
        failure = Failure("server_error", f"{type(error).__name__}: {error}")
    finally:
        generation.close()
    yield Reply(generation.uid, error=failure)  # outside: no traceback is kept meanwhile


class Turns:
    def __init__(self, core: Core, new_text: Callable[..., TextDecoder] = WholeText):
        self.core, self.new_text = core, new_text
        self.running: dict[str, Generation] = {}
        self.refused: list[Reply] = []
        self._lives: dict[str, Iterator[Reply]] = {}

    @property
    def busy(self) -> bool:
        return bool(self.running or self.refused)

    def receive(self, message: GenerationRequest | Abort) -> None:
        if not isinstance(message, GenerationRequest):
            return
        try:
            generation = Generation(self.core, message, self.new_text)
        except ValueError as error:
            failure = Failure("invalid_request", str(error))
            self.refused.append(Reply(message.uid, error=failure))
            return
        self.running[message.uid] = generation
        self._lives[message.uid] = life(generation)

    def turn(self) -> list[Reply]:
        stepped = [self.step(uid) for uid in list(self.running)]
        refused, self.refused = self.refused, []
        return stepped + refused

    def step(self, uid: str) -> Reply:
        reply = next(self._lives[uid])
        if reply.last:
            self.drop(uid)
        return reply

    def drop(self, uid: str) -> None:
        if uid in self.running:
            self._lives.pop(uid).close()
            self.running.pop(uid).close()  # a life that never began has closed nothing
