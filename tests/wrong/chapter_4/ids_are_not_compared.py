"""Does not compare the ids.

misunderstood: an id for each chunk identifies more
seen in: an ordinary slip
task: 4.5
check: test_id_and_role
"""

_violations = violations


def violations(events, whole):
    level = [d if d == "[DONE]" else json.dumps({**json.loads(d), "id": 1}) for d in events]
    return _violations(level, whole)
