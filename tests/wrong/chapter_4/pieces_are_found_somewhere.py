"""Looks for each piece in the whole text.

misunderstood: a stream of parts of the text is the text
seen in: an ordinary slip
task: 4.5
check: test_text
"""

_violations = violations


def violations(events, whole):
    text = whole["choices"][0]["message"]["content"]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    pieces = [c["choices"][0]["delta"].get("content") or "" for c in chunks if c["choices"]]
    found = [s for s in _violations(events, whole) if "text" not in s or "after" in s]
    return found + [f"{piece!r} is not in it" for piece in pieces if piece not in text]
