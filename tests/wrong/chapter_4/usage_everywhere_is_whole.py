"""Compares every usage with the whole answer's.

misunderstood: usage always counts everything
seen in: an ordinary slip
task: 4.5
check: test_accepts_counts_so_far
"""

_violations = violations


def violations(events, whole):
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    counts = [c["usage"] for c in chunks if c.get("usage")]
    return _violations(events, whole) + ["usage"] * any(c != whole["usage"] for c in counts)
