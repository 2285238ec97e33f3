"""Is content with a [DONE] somewhere.

misunderstood: it is enough that [DONE] comes
seen in: an ordinary slip
task: 4.5
check: test_the_end
"""

_violations = violations


def violations(events, whole):
    rest = [data for data in events if data != "[DONE]"]
    return _violations([*rest, *["[DONE]"] * ("[DONE]" in events)], whole)
