"""Complains about every run.

misunderstood: a strict rule is a good rule
seen in: an ordinary slip
task: 3.5
check: test_fair_and_first_come_first_served
"""


def violations(moments):
    return ["unfair"]
