"""Takes a reply without an owner for a fault.

misunderstood: every reply on the tape belongs to somebody (its client may have left)
seen in: an ordinary slip
task: 2.5
check: test_other_right_dispatchers
"""

_violations = violations


def violations(tape, opened, given):
    lost = [f"{reply.uid} is not open" for reply in tape if reply.uid not in opened]
    return lost + _violations(tape, opened, given)
