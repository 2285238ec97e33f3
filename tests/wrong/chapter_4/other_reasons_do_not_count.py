"""Looks for the true finish reason, and at no other.

misunderstood: if the true one is there, all is well
seen in: an ordinary slip
task: 4.5
check: test_finish_reason
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "reasons" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    reasons = [choice["finish_reason"] for choice in choices]
    once = reasons.count(whole["choices"][0]["finish_reason"]) == 1
    return found + ([] if once else ["not one reason"])
