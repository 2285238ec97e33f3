"""Reads `given[uid]`.

misunderstood: a request that was given nothing has an empty entry
seen in: an ordinary slip
task: 2.5
check: test_other_right_dispatchers
"""

_violations = violations


def violations(tape, opened, given):
    return _violations(tape, opened, {uid: given[uid] for uid in [*opened, *given]})
