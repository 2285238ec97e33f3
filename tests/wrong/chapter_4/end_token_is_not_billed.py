"""Takes the end token off the usage.

misunderstood: the usage counts what was shown
seen in: an ordinary slip
task: 4.3
check: test_usage
"""

_closing = closing


def closing(chunks, last):
    chunks.tokens -= last.finish_reason == "stop" and not last.text
    return _closing(chunks, last)
