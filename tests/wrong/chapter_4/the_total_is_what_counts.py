"""Compares the totals only.

misunderstood: if the sum is right, its parts are
seen in: an ordinary slip
task: 4.5
check: test_usage
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "usage" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    counts = [c["usage"] for c in chunks if not c["choices"] and c.get("usage")]
    wanted = whole["usage"]["total_tokens"]
    return found + [f"usage {c}" for c in counts if c["total_tokens"] != wanted]
