"""Is content with a usage that is not zero.

misunderstood: a count that is there is right
seen in: an ordinary slip
task: 4.5
check: test_usage
"""

_violations = violations


def violations(events, whole):
    return [s for s in _violations(events, whole) if "usage" not in s or "'prompt_tokens': 0" in s]
