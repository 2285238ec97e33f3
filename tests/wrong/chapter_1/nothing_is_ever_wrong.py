"""Finds no violation in any run.

misunderstood: a server that answers is a right server
seen in: an ordinary slip
task: 1.5
check: test_rejects_computing_for_bad_requests
"""


def violations(exchanges):
    return []
