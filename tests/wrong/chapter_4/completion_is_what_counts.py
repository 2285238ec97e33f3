"""Compares the completion tokens only.

misunderstood: the prompt's count is known anyway
seen in: an ordinary slip
task: 4.5
check: test_usage
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "usage" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    counts = [c["usage"] for c in chunks if not c["choices"] and c.get("usage")]
    wanted = whole["usage"]["completion_tokens"]
    return found + [f"usage {c}" for c in counts if c["completion_tokens"] != wanted]
