"""Takes data that contains [DONE] for the end.

misunderstood: [DONE] is not said in an answer
seen in: an ordinary slip
task: 4.5
check: test_text
"""

_violations = violations


def violations(events, whole):
    found = _violations(events, whole)
    ended = [data for data in events[:-1] if "[DONE]" in data]
    return found + [f"ends at {data}" for data in ended]
