"""Misses those that never end if they never had a token.

misunderstood: a request begins with its first token
seen in: an ordinary slip
task: 3.5
check: test_refused_and_forgotten
"""

_v = violations


def violations(moments):
    return [
        s
        for s in _v(moments)
        if not s.endswith("never ended")
        or any(m.kind == "token" and m.uid == s[:-12] for m in moments)
    ]
