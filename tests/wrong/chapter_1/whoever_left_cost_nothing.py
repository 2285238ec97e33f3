"""Takes a client that left for a bad request.

misunderstood: no status is no good status (a client may leave half-way, and no promise is broken)
seen in: an ordinary slip
task: 1.5
check: test_tells_the_busy_from_the_lazy
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    return _violations([replace(e, status=400) if e.status is None else e for e in exchanges])
