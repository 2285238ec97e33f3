"""Finds nothing wrong, ever.

misunderstood: no news is good news
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""


def violations(tape, opened, given):
    return []
