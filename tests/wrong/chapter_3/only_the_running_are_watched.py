"""Skips tokens of requests that are not running.

misunderstood: what is not running has no tokens
seen in: an ordinary slip
task: 3.5
check: test_no_life_outside
"""

_violations = violations


def violations(moments):
    running, kept = set(), []
    for moment in moments:
        if moment.kind == "admitted":
            running.add(moment.uid)
        if moment.uid in running or moment.kind == "ended":
            kept.append(moment)
        if moment.kind == "ended":
            running.discard(moment.uid)
    return _violations(kept)
