"""Is content with the finish reason 'length'.

misunderstood: an answer may always end at its limit
seen in: mini-sglang#126
task: 4.5
check: test_finish_reason
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "reasons" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    reasons = [choice["finish_reason"] for choice in choices if choice["finish_reason"]]
    right = [whole["choices"][0]["finish_reason"]], ["length"]
    return found + ([] if reasons in right else ["not one reason"])
