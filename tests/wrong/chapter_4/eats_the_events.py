"""Takes [DONE] out of the list that it was given.

misunderstood: a list that was handed over is one's own
seen in: an ordinary slip
task: 4.5
check: test_accepts_other_cuts
"""

_violations = violations


def violations(events, whole):
    found = _violations(events, whole)
    while "[DONE]" in events:
        events.remove("[DONE]")
    return found
