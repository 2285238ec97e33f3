"""Finds a violation in every run.

misunderstood: no server is without fault
seen in: an ordinary slip
task: 5.5
check: test_accepts_right_services
"""


def violations(moments):
    return ["something is always left"]
