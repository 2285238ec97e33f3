"""Two rules, each in a function of its own."""

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Moment:
    kind: str
    uid: str


def unfair(moments):
    hungry = {}  # (who ate, who has not since)
    for moment in moments:
        if moment.kind == "admitted":
            hungry[moment.uid] = set()
            continue
        if moment.kind == "token":
            late = hungry.get(moment.uid, set()) & hungry.keys()
            if late:
                yield f"{moment.uid} before {', '.join(late)}"
            hungry[moment.uid] = hungry.keys() - {moment.uid}
        for waiting in hungry.values():
            waiting.discard(moment.uid)
        if moment.kind == "ended":
            hungry.pop(moment.uid, None)


def restless(moments):
    ends = Counter(m.uid for m in moments if m.kind == "ended")
    for uid in {m.uid for m in moments}:
        own = [m.kind for m in moments if m.uid == uid]
        if ends[uid] != 1:
            yield f"{uid} ended {ends[uid]} times"
        elif own[0] != "admitted" or own[-1] != "ended":
            yield f"{uid}: {own}"


def violations(moments):
    return [*unfair(moments), *restless(moments)]
