"""Counts passes for a 500 as a broken promise.

misunderstood: any status from 400 on is a bad request
seen in: an ordinary slip
task: 1.5
check: test_tells_failures_from_refusals
"""

_violations = violations


def violations(exchanges):
    failed = [e for e in exchanges if (e.status or 0) >= 500 and e.passes]
    return _violations(exchanges) + [f"{e.passes} passes for {e.status}" for e in failed]
