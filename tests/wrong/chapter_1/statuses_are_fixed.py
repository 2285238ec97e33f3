"""Accepts 200 and 400 and takes any other status for a fault.

misunderstood: a right server answers with the statuses of this one
seen in: an ordinary slip
task: 1.5
check: test_accepts_other_right_servers
"""

_violations = violations


def violations(exchanges):
    odd = [e for e in exchanges if e.status in (401, 403, 422)]
    return _violations(exchanges) + [f"status {e.status}" for e in odd]
