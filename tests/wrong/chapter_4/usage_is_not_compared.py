"""Does not look at the usage.

misunderstood: usage is there for the shape
seen in: an ordinary slip
task: 4.5
check: test_usage
"""

_violations = violations


def violations(events, whole):
    return [s for s in _violations(events, whole) if "usage" not in s]
