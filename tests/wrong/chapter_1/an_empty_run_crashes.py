"""Begins with the first exchange.

misunderstood: something has always happened
seen in: an ordinary slip
task: 1.5
check: test_accepts_other_right_servers
"""

_violations = violations


def violations(exchanges):
    assert exchanges[0] is not None
    return _violations(exchanges)
