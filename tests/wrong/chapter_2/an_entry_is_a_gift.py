"""Takes an empty entry for a gift.

misunderstood: a uid that stands in `given` was given something
seen in: an ordinary slip
task: 2.5
check: test_other_right_dispatchers
"""

_violations = violations


def violations(tape, opened, given):
    strangers = [f"{uid} was not open" for uid in given if uid not in opened]
    return strangers + _violations(tape, opened, given)
