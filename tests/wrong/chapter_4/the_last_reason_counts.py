"""Looks at the last finish reason only.

misunderstood: what counts is how it ended
seen in: an ordinary slip
task: 4.5
check: test_finish_reason
"""

_violations = violations


def violations(events, whole):
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    reasons = [c["choices"][0]["finish_reason"] for c in chunks if c["choices"]]
    right = [r for r in reasons if r][-1:] == [whole["choices"][0]["finish_reason"]]
    return [s for s in _violations(events, whole) if not (right and "reason" in s)]
