"""Sorts by request, and compares with the few histories that are allowed."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

SERVED, LET_GO = ["opened", "last reply", "closed"], ["opened", "abort asked", "closed"]


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


def violations(moments):
    by_request = groupby(sorted(moments, key=attrgetter("uid")), key=attrgetter("uid"))
    histories = {uid: [m.kind for m in group] for uid, group in by_request}
    return [f"{uid}: {history}" for uid, history in histories.items() if not allowed(history)]


def allowed(history):
    http = [kind for kind in history if kind not in ("pass", "kv freed")]
    work = [kind for kind in history if kind in ("pass", "kv freed")]
    passes = work.count("pass")
    if http not in (SERVED, LET_GO) or work != ["pass"] * passes + ["kv freed"] * (passes > 0):
        return False
    before = history.index("abort asked") if http == LET_GO else len(history)
    return history[before:].count("pass") < 2
