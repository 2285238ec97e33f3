"""Compares the texts without white space at their ends.

misunderstood: white space at the ends means nothing
seen in: djl-serving#1272
task: 4.5
check: test_text
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "pieces" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    text = "".join(choice["delta"].get("content") or "" for choice in choices)
    wanted = whole["choices"][0]["message"]["content"]
    return found + ([] if text.strip() == wanted.strip() else ["other text"])
