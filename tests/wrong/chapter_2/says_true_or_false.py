"""Returns whether all is well.

misunderstood: who reads this wants a yes or a no
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""

_violations = violations


def violations(tape, opened, given):
    return not _violations(tape, opened, given)
