"""Keeps the ended in a set, where twice is once.

misunderstood: who has ended has ended
seen in: an ordinary slip
task: 3.5
check: test_ended_once
"""

_violations = violations


def violations(moments):
    kept, ended = [], set()
    for moment in moments:
        if moment.kind != "ended" or moment.uid not in ended:
            kept.append(moment)
        if moment.kind == "ended":
            ended.add(moment.uid)
    return _violations(kept)
