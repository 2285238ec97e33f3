"""Looks for passes at status 400 alone.

misunderstood: a bad request is a 400, and 404 and 422 are something else
seen in: an ordinary slip
task: 1.5
check: test_rejects_computing_for_bad_requests
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    return _violations([replace(e, passes=0) if e.status == 404 else e for e in exchanges])
