"""Finds nothing wrong when nobody is open.

misunderstood: without requests there is no promise to break
seen in: an ordinary slip
task: 2.5
check: test_not_due
"""

_violations = violations


def violations(tape, opened, given):
    return _violations(tape, opened, given) if opened else []
