"""Design: lives and pairs of lives written as strings, promises as regular expressions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


LETTER = {"admitted": "a", "token": "t", "ended": "e"}
ADMITTED = re.compile("a")
ENDS_ONCE = re.compile("[^e]*a[^e]*e[^e]*")
TOO_EARLY = re.compile("[^a]*t")
TOO_LATE = re.compile(".*e.*t")
# "x" is a token of the other one; the rest is this one's life while it runs.
RUNS = re.compile("a([^e]*)")


def violations(moments: Sequence[Moment]) -> list[str]:
    lives: dict[str, str] = defaultdict(str)
    for moment in moments:
        lives[moment.uid] += LETTER[moment.kind]
    found = []
    for uid, life in lives.items():
        if ADMITTED.search(life) and not ENDS_ONCE.fullmatch(life):
            found.append(f"{uid} was admitted, but has not ended exactly once")
        if TOO_EARLY.match(life):
            found.append(f"{uid} has a token before it was admitted")
        if TOO_LATE.match(life):
            found.append(f"{uid} has a token after it had ended")
    for greedy, patient in permutations(lives, 2):
        beside = RUNS.search(pair(moments, greedy, patient))
        if beside and "xx" in beside[1].replace("a", ""):
            found.append(f"{greedy} has two tokens while {patient} runs and has none")
    return found


def pair(moments: Sequence[Moment], other: str, uid: str) -> str:
    """The life of `uid`, with an x for each token of `other`."""
    letters = {(kind, uid): letter for kind, letter in LETTER.items()} | {("token", other): "x"}
    return "".join(letters.get((m.kind, m.uid), "") for m in moments)
