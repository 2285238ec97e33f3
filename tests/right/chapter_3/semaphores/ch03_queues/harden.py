"""Design: a fold; each request that had a token keeps the set of those who are owed one now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


@dataclass
class Ledger:
    """running: who runs; owes: uid → who must have a token before its next one."""

    running: dict[str, None] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)  # uid → how often it has ended
    owes: dict[str, set[str]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def admitted(self, uid: str) -> None:
        self.running[uid] = None
        self.seen.setdefault(uid, 0)

    def token(self, uid: str) -> None:
        if uid not in self.running:
            when = "after it had ended" if uid in self.seen else "before it was admitted"
            self.found.append(f"{uid} had a token {when}")
        if passed_over := self.owes.get(uid):
            names = ", ".join(sorted(passed_over))
            self.found.append(f"{uid} had two tokens, and between them none for {names}")
        self._settle(uid)
        self.owes[uid] = set(self.running) - {uid}

    def ended(self, uid: str) -> None:
        if uid in self.seen:
            self.seen[uid] += 1
        self.running.pop(uid, None)
        self._settle(uid)

    def _settle(self, uid: str) -> None:
        for owed in self.owes.values():
            owed.discard(uid)


def violations(moments: Sequence[Moment]) -> list[str]:
    ledger = Ledger()
    enter = {"admitted": ledger.admitted, "token": ledger.token, "ended": ledger.ended}
    for moment in moments:
        enter[moment.kind](moment.uid)
    for uid, times in ledger.seen.items():
        if times == 0:
            ledger.found.append(f"{uid} was admitted and has never ended")
        elif times > 1:
            ledger.found.append(f"{uid} has ended {times} times")
    return ledger.found
