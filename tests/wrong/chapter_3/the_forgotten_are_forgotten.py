"""Does not look who is left when everything is over.

misunderstood: a request that is not heard of any more has ended
seen in: mini-sglang, whose client waits for ever
task: 3.5
check: test_refused_and_forgotten
"""

_violations = violations


def violations(moments):
    return [found for found in _violations(moments) if "never ended" not in found]
