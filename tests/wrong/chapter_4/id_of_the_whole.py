"""Wants the chunks to have the whole answer's id.

misunderstood: the same question has the same id
seen in: an ordinary slip
task: 4.5
check: test_accepts_other_cuts
"""

_violations = violations


def violations(events, whole):
    ids = {json.loads(data)["id"] for data in events if data != "[DONE]"}
    return _violations(events, whole) + ["another id"] * (ids != {whole["id"]})
