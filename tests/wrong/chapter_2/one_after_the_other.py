"""Wants all of one request's replies before the other's.

misunderstood: replies come in the order of submission
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""

_violations = violations


def violations(tape, opened, given):
    changes = [n for n in range(1, len(tape)) if tape[n].uid != tape[n - 1].uid]
    found = ["the replies are out of order"] if len(changes) > len({r.uid for r in tape}) else []
    return found + _violations(tape, opened, given)
