"""Joins its sentences to one text.

misunderstood: a text is as good as a list
seen in: an ordinary slip
task: 4.5
check: test_accepts_other_cuts
"""

_violations = violations


def violations(events, whole):
    return "; ".join(_violations(events, whole))
