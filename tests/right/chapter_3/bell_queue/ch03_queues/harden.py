"""Design: each token takes a snapshot of everybody's counts; the next one compares with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


def violations(moments: Sequence[Moment]) -> list[str]:
    return unfair(moments) + unlived(moments)


def unfair(moments: Sequence[Moment]) -> list[str]:
    """Who was passed over, once for each two who are concerned."""
    tokens: Counter[str] = Counter()
    running: set[str] = set()
    before: dict[str, dict[str, int]] = {}  # uid → the others' counts at its last token
    pairs: dict[tuple[str, str], None] = {}
    for moment in moments:
        uid = moment.uid
        if moment.kind == "admitted":
            running.add(uid)
        elif moment.kind == "ended":
            running.discard(uid)
        else:
            for other, count in before.get(uid, {}).items():
                if other in running and tokens[other] == count:
                    pairs[uid, other] = None
            tokens[uid] += 1
            before[uid] = {other: tokens[other] for other in running if other != uid}
    return [f"{other} ran and got no token between two of {uid}" for uid, other in pairs]


def unlived(moments: Sequence[Moment]) -> list[str]:
    """What is wrong with a life, seen alone."""
    lives: dict[str, list[str]] = defaultdict(list)
    for moment in moments:
        lives[moment.uid].append(moment.kind)
    found = []
    for uid, life in lives.items():
        stages = [kind for kind, _ in groupby(life)]  # "token token token" is one stage
        ends = life.count("ended")
        if "admitted" in life and ends != 1:
            found.append(f"{uid} was admitted and ended {ends} times")
        born = life.index("admitted") if "admitted" in life else len(life)
        died = stages.index("ended") if ends else len(stages)
        if "token" in life[:born]:
            found.append(f"{uid} got a token before it was admitted")
        if "token" in stages[died:]:
            found.append(f"{uid} got a token after it ended")
    return found
