"""Moments sorted by request and grouped; what must be one is counted, what must follow sliced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


HTTP_SIDE = {"opened", "last reply", "abort asked", "closed"}


def after(kind: str, kinds: list[str]) -> Counter:
    """How many of each kind come after the first of this one."""
    return Counter(kinds[kinds.index(kind) + 1 :] if kind in kinds else [])


def broken(kinds: list[str]) -> Iterator[str]:
    """What one request's moments say against it."""
    count = Counter(kinds)
    http = [kind for kind in kinds if kind in HTTP_SIDE]
    if count["opened"] != 1 or count["closed"] != 1:
        yield f"opened {count['opened']} and closed {count['closed']} times: each must be once"
    elif (http[0], http[-1]) != ("opened", "closed"):
        yield f"its HTTP side must begin with opened and end with closed, but was {http}"
    if count["last reply"] + count["abort asked"] != 1:
        yield (
            f"{count['last reply']} last replies and {count['abort asked']} aborts: "
            "one of them must end it, once"
        )
    if after("abort asked", kinds)["pass"] > 1:
        yield f"{after('abort asked', kinds)['pass']} passes began after its abort: one may"
    if count["pass"] and (count["kv freed"] != 1 or after("kv freed", kinds)["pass"]):
        yield (
            f"{count['pass']} passes, and its KV cache was freed {count['kv freed']} times: "
            "it must be freed once, after all passes"
        )


def violations(moments: Sequence[Moment]) -> list[str]:
    by_request = groupby(sorted(moments, key=attrgetter("uid")), key=attrgetter("uid"))
    return [
        f"Request {uid}: {what}."
        for uid, own in by_request
        for what in broken([m.kind for m in own])
    ]
