"""Is content when an abort was asked for.

misunderstood: an abort that was sent has taken effect
seen in: an ordinary slip
task: 5.5
check: test_rejects_aborts_without_effect
"""

_violations = violations


def violations(moments):
    return [found for found in _violations(moments) if "passes began" not in found]
