"""Judges turns of two or three only.

misunderstood: what holds for three holds for five
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""

_violations = violations


def violations(moments):
    unfair = "had two tokens"
    many = len({moment.uid for moment in moments}) > 3
    return [found for found in _violations(moments) if not (many and unfair in found)]
