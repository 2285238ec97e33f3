"""Demands at least one token of every request.

misunderstood: a request that ends has been answered
seen in: an ordinary slip
task: 3.5
check: test_refused_and_forgotten
"""

_violations = violations


def violations(moments):
    had = {moment.uid for moment in moments if moment.kind == "token"}
    silent = {moment.uid for moment in moments} - had
    return _violations(moments) + [f"{uid} had no token" for uid in silent]
