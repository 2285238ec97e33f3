"""Reports the first violation and no other.

misunderstood: one broken promise is enough to know
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""

_violations = violations


def violations(tape, opened, given):
    return _violations(tape, opened, given)[:1]
