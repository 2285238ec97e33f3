"""Demands a prompt for every request that is not a 4xx.

misunderstood: whoever is not refused must have been answered
seen in: an ordinary slip
task: 1.5
check: test_tells_the_busy_from_the_lazy
"""

_violations = violations


def violations(exchanges):
    idle = [e for e in exchanges if not 400 <= (e.status or 0) < 500 and len(e.prompts) != 1]
    return _violations(exchanges) + [f"not computed: {e.body!r}" for e in idle]
