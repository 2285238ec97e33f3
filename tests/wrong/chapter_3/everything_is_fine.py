"""Finds no violation in anything.

misunderstood: a rule that never complains is a kind one
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""


def violations(moments):
    return []
