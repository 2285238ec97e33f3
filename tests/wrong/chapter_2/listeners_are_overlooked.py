"""Looks at uids that are open or on the tape.

misunderstood: who is not on the tape is given nothing
seen in: an ordinary slip
task: 2.5
check: test_wrong_owner
"""

_violations = violations


def violations(tape, opened, given):
    known = {r.uid for r in tape} | set(opened)
    return _violations(tape, opened, {u: r for u, r in given.items() if u in known})
