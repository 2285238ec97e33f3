"""Reports each violation with an empty string.

misunderstood: how many there are is all that counts
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""

_violations = violations


def violations(tape, opened, given):
    return ["" for _ in _violations(tape, opened, given)]
