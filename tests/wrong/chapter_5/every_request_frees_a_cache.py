"""Wants a cache freed for every request.

misunderstood: every request has a KV cache
seen in: an ordinary slip
task: 5.5
check: test_accepts_what_cost_nothing
"""

_violations = violations


def violations(moments):
    freed = {moment.uid for moment in moments if moment.kind == "kv freed"}
    kept = {moment.uid for moment in moments} - freed
    return _violations(moments) + [f"{uid}: its cache was not freed" for uid in kept]
