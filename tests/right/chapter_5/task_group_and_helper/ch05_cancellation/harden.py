"""Each request is watched by a generator that knows what has to come next."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


def http(found):
    if (yield) != "opened":
        found.append("not opened first")
    ending = yield
    if ending not in ("last reply", "abort asked"):
        found.append(f"{ending} for an ending")
    if (yield) != "closed":
        found.append("not closed after its ending")
    while True:
        found.append(f"{(yield)} after that")


def work(found):
    while (yield) != "kv freed":
        pass
    while True:
        found.append(f"{(yield)} after the cache was freed")


def violations(moments):
    return [f"{uid}: {why}" for uid in {m.uid for m in moments} for why in judged(moments, uid)]


def judged(moments, uid):
    kinds, found = [m.kind for m in moments if m.uid == uid], []
    theirs = [k for k in kinds if k in ("pass", "kv freed")]
    ours = [k for k in kinds if k not in theirs]
    for watcher, seen in ((http(found), ours), (work(found), theirs)):
        next(watcher)
        for kind in seen:
            watcher.send(kind)
    if len(ours) < 3:
        found.append("it did not come to its end")
    if theirs and ("pass" not in theirs or "kv freed" not in theirs):
        found.append("passes and a cache come together")
    if "abort asked" in kinds and kinds[kinds.index("abort asked") :].count("pass") > 1:
        found.append("worked on")
    return found
