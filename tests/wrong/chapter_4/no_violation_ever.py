"""Finds nothing wrong with anything.

misunderstood: a rule that never rings is a good one
seen in: an ordinary slip
task: 4.5
check: test_accepts_other_cuts
"""


def violations(events, whole):
    return []
