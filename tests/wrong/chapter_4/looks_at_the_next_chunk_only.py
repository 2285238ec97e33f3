"""Looks for text in the chunk right after the finish reason.

misunderstood: what is late comes at once
seen in: an ordinary slip
task: 4.5
check: test_finish_reason
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "after" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    late = [b for a, b in zip(choices, choices[1:], strict=False) if a["finish_reason"]]
    return found + ["late" for choice in late if choice["delta"].get("content")]
