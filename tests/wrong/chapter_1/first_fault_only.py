"""Returns at the first broken promise.

misunderstood: one fault is enough to know
seen in: an ordinary slip
task: 1.5
check: test_names_every_broken_promise
"""

_violations = violations


def violations(exchanges):
    return _violations(exchanges)[:1]
