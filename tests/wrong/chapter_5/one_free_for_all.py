"""Compares the number of caches freed with the number of requests computed.

misunderstood: if the sums agree, everybody has given back
seen in: an ordinary slip
task: 5.5
check: test_rejects_caches_that_are_not_freed_once
"""

_violations = violations


def violations(moments):
    found = [sentence for sentence in _violations(moments) if "KV cache" not in sentence]
    freed = sum(moment.kind == "kv freed" for moment in moments)
    computed = len({moment.uid for moment in moments if moment.kind == "pass"})
    return found + ([f"{freed} of {computed} caches freed"] if freed < computed else [])
