"""Is content with any role.

misunderstood: it is enough that there is a role
seen in: an ordinary slip
task: 4.5
check: test_id_and_role
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "role" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    return found + ([] if choices[0]["delta"].get("role") else ["no role"])
