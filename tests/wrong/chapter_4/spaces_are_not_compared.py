"""Compares the texts without their spaces.

misunderstood: a space more or less is no fault
seen in: an ordinary slip
task: 4.5
check: test_text
"""

_violations = violations


def violations(events, whole):
    text = whole["choices"][0]["message"]["content"]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    joined = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks if c["choices"])
    same = joined.split() == text.split() or "".join(joined.split()) == "".join(text.split())
    return [s for s in _violations(events, whole) if not (same and "pieces" in s)]
