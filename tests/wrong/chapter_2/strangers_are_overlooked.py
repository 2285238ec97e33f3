"""Looks at open requests only.

misunderstood: what is not open cannot be given anything
seen in: an ordinary slip
task: 2.5
check: test_not_due
"""

_violations = violations


def violations(tape, opened, given):
    return _violations(tape, opened, {uid: given[uid] for uid in opened if uid in given})
