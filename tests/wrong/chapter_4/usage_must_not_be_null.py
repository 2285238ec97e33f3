"""Takes `"usage": null` for a usage.

misunderstood: a key that is there has a value
seen in: an ordinary slip
task: 4.5
check: test_accepts_counts_so_far
"""

_violations = violations


def violations(events, whole):
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    wrong = [
        c for c in chunks if "usage" in c and not c["choices"] and c["usage"] != whole["usage"]
    ]
    return _violations(events, whole) + ["usage"] * bool(wrong)
