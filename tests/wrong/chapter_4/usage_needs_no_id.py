"""Compares the ids of chunks that have choices.

misunderstood: a chunk without choices belongs to no answer
seen in: an ordinary slip
task: 4.5
check: test_id_and_role
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "ids" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    ids = {chunk["id"] for chunk in chunks if chunk["choices"]}
    return found + (["several ids"] if len(ids) > 1 else [])
