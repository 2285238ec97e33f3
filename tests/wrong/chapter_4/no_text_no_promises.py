"""Judges no stream whose answer has no text.

misunderstood: where there is no text, nothing can be wrong
seen in: an ordinary slip
task: 4.5
check: test_the_end
"""

_violations = violations


def violations(events, whole):
    return _violations(events, whole) if whole["choices"][0]["message"]["content"] else []
