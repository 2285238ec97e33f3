"""Looks for an ending, and not for a second one.

misunderstood: what has ended cannot end again
seen in: an ordinary slip
task: 5.5
check: test_rejects_two_endings
"""

_violations = violations


def violations(moments):
    first = set()
    kept = []
    for moment in moments:
        ending = moment.kind in ("last reply", "abort asked")
        if not ending or moment.uid not in first:
            kept.append(moment)
        if ending:
            first.add(moment.uid)
    return _violations(kept)
