"""An index of positions by request and kind; promises compare positions, by bisection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


@dataclass
class Positions:
    """Where in the run each kind of moment of one request stands, in ascending order."""

    opened: list[int] = field(default_factory=list)
    last_reply: list[int] = field(default_factory=list)
    abort_asked: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    passes: list[int] = field(default_factory=list)
    kv_freed: list[int] = field(default_factory=list)

    def bracketed(self) -> bool:
        if len(self.opened) != 1 or len(self.closed) != 1:
            return False
        inner = self.last_reply + self.abort_asked
        first, last = self.opened[0], self.closed[0]
        return first < last and all(first < position < last for position in inner)

    def ended_once(self) -> bool:
        return len(self.last_reply + self.abort_asked) == 1

    def stopped(self) -> bool:
        if not self.abort_asked:
            return True
        before = bisect_right(self.passes, self.abort_asked[0])
        return len(self.passes) - before <= 1

    def freed_once(self) -> bool:
        if not self.passes:
            return True
        return len(self.kv_freed) == 1 and self.passes[-1] < self.kv_freed[0]


NAMES = {"pass": "passes"}
PROMISES = {
    Positions.bracketed: "is not opened once and closed once with the rest in between",
    Positions.ended_once: "has not ended once, by a last reply or an abort",
    Positions.stopped: "got more than one pass after its abort",
    Positions.freed_once: "had passes, and its KV cache was not freed once behind them",
}


def violations(moments: Sequence[Moment]) -> list[str]:
    index: dict[str, Positions] = {}
    for position, moment in enumerate(moments):
        name = NAMES.get(moment.kind, moment.kind.replace(" ", "_"))
        getattr(index.setdefault(moment.uid, Positions()), name).append(position)
    return [
        f"{uid} {fault}."
        for uid, positions in index.items()
        for kept, fault in PROMISES.items()
        if not kept(positions)
    ]
