"""Finds no violation in any run.

misunderstood: a server that goes on serving has cleaned up
seen in: an ordinary slip
task: 5.5
check: test_accepts_right_services
"""


def violations(moments):
    return []
