"""Is content with a role in some chunk.

misunderstood: the order of the chunks makes no difference
seen in: an ordinary slip
task: 4.5
check: test_id_and_role
"""

_violations = violations


def violations(events, whole):
    roles = any("assistant" in data for data in events)
    return [s for s in _violations(events, whole) if not (roles and "role" in s)]
