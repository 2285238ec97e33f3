"""Begins above 400.

misunderstood: 400 < status < 500 are the bad requests
seen in: an ordinary slip
task: 1.5
check: test_rejects_computing_for_bad_requests
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    return _violations([replace(e, passes=0) if e.status == 400 else e for e in exchanges])
