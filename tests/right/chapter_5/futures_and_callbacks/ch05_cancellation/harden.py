"""One walk over the moments, with counters for each request."""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    kind: str
    uid: str


def violations(moments):
    found, count = [], {}
    for at, moment in enumerate(moments):
        mine = count.setdefault(moment.uid, Counter())
        wrong = {
            "opened": mine["opened"] or mine["closed"],
            "last reply": mine["ended"] or not mine["opened"] or mine["closed"],
            "abort asked": mine["ended"] or not mine["opened"] or mine["closed"],
            "closed": not mine["opened"] or mine["closed"] or not mine["ended"],
            "pass": mine["kv freed"] or (mine["abort asked"] and mine["late"]),
            "kv freed": mine["kv freed"] or not mine["pass"],
        }[moment.kind]
        if wrong:
            found.append(f"moment {at}: {moment.kind} of {moment.uid}")
        mine[moment.kind] += 1
        mine["ended"] += moment.kind in ("last reply", "abort asked")
        mine["late"] += moment.kind == "pass" and mine["abort asked"] > 0
    for uid, mine in count.items():
        if not mine["closed"]:
            found.append(f"{uid} was never closed")
        if mine["pass"] and not mine["kv freed"]:
            found.append(f"{uid} keeps its cache")
    return found
