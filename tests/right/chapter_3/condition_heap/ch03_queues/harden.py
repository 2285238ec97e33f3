"""Design: time stamps. A token is unfair to whoever has waited since before the one before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

NEVER = -math.inf


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


@dataclass(slots=True)
class Seen:
    """When one request was admitted, when it had its last token, and all its ends."""

    admitted: float | None = None
    token: float = NEVER
    ends: list[int] = field(default_factory=list)

    @property
    def running(self) -> bool:
        return self.admitted is not None and not self.ends

    @property
    def waits_since(self) -> float:
        return max(self.admitted, self.token)


def violations(moments: Sequence[Moment]) -> list[str]:
    seen = {moment.uid: Seen() for moment in moments}
    found = []
    for now, moment in enumerate(moments):
        uid, mine = moment.uid, seen[moment.uid]
        match moment.kind:
            case "admitted" if mine.admitted is None:
                mine.admitted = now
            case "token":
                if mine.admitted is None:
                    found.append(f"Request {uid} got a token before it was admitted.")
                elif mine.ends:
                    found.append(f"Request {uid} got a token after its end.")
                for other, theirs in seen.items():
                    if other != uid and theirs.running and theirs.waits_since < mine.token:
                        found.append(f"Request {uid} got two tokens while {other} waited for one.")
                mine.token = now
            case "ended":
                mine.ends.append(now)
    for uid, one in seen.items():
        if one.admitted is None:
            continue
        if not one.ends:
            found.append(f"Request {uid} was admitted and never ended.")
        elif len(one.ends) > 1:
            found.append(f"Request {uid} ended {len(one.ends)} times.")
    return found
