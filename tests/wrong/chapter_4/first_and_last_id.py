"""Compares the first chunk's id with the last one's.

misunderstood: if both ends agree, the middle does
seen in: an ordinary slip
task: 4.5
check: test_id_and_role
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "ids" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    return found + (["several ids"] if chunks[0]["id"] != chunks[-1]["id"] else [])
