"""Allows two passes after an abort.

misunderstood: off by one: the pass under way and one more
seen in: an ordinary slip
task: 5.5
check: test_one_more_pass
"""

_violations = violations


def violations(moments):
    return [found for found in _violations(moments) if "2 passes" not in found]
