"""Wants the role in the first delta only.

misunderstood: what is not asked for is forbidden
seen in: an ordinary slip
task: 4.5
check: test_accepts_other_cuts
"""

_violations = violations


def violations(events, whole):
    again = sum('"role"' in data for data in events) > 1
    return _violations(events, whole) + ["the role comes again"] * again
