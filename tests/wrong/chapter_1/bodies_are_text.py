"""Decodes every body to show it.

misunderstood: a body is text
seen in: an ordinary slip
task: 1.5
check: test_accepts_other_right_servers
"""

_violations = violations


def violations(exchanges):
    names = [e.body.decode() for e in exchanges]
    return [f"{sentence} (of {len(names)} requests)" for sentence in _violations(exchanges)]
