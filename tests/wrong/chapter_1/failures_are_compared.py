"""Compares all that was computed, failed or not.

misunderstood: the same body costs the same also when the model fails half-way
seen in: an ordinary slip
task: 1.5
check: test_tells_failures_from_refusals
"""

_violations = violations


def violations(exchanges):
    found, first = _violations(exchanges), {}
    for e in exchanges:
        if e.prompts:
            earlier = first.setdefault(e.body, e)
            if (earlier.prompts, earlier.passes) != (e.prompts, e.passes):
                found.append(f"{e.body!r} was computed in two ways")
    return found
