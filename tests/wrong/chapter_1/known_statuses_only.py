"""Knows 400 and 404, and no other 4xx.

misunderstood: a bad request is one of the two statuses of this chapter
seen in: an ordinary slip
task: 1.5
check: test_rejects_computing_for_bad_requests
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    other = range(400, 500)
    return _violations(
        [
            replace(e, passes=0) if e.status in other and e.status not in (400, 404) else e
            for e in exchanges
        ]
    )
