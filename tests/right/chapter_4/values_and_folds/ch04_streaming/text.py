"""The state is a value: a pure function takes it and an id, and gives the next one and the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

HALF = "\ufffd"
Decode = Callable[[Sequence[int]], str]


class State(NamedTuple):
    """before: ids that were shown and stand in front; since: those not shown yet."""

    before: tuple[int, ...] = ()
    since: tuple[int, ...] = ()


def unseen(decode: Decode, state: State) -> str:
    return decode(state.before + state.since)[len(decode(state.before)) :]


def shown(decode: Decode, state: State) -> State:
    """The state after all was shown: what was new stands in front of the next, if it can."""
    alone = decode(state.since)
    if alone and not alone.startswith(HALF):
        return State(before=state.since)
    if decode(state.before):
        return State(before=state.before)  # still what stands in front
    return State(before=state.before + state.since)


class IncrementalText:
    def __init__(self, decode: Decode):
        self.decode, self.state = decode, State()

    def push(self, token: int) -> str:
        self.state = self.state._replace(since=(*self.state.since, token))
        new = unseen(self.decode, self.state)
        return "" if new.endswith(HALF) else self._show(new)

    def flush(self) -> str:
        return self._show(unseen(self.decode, self.state))

    def _show(self, new: str) -> str:
        self.state = shown(self.decode, self.state)
        return new
