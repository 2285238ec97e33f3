"""Sends no whole usage where each chunk has had counts.

misunderstood: the last chunk's counts are the usage
seen in: an ordinary slip
task: 4.3
check: test_usage
"""

_closing = closing


def closing(chunks, last):
    return DONE if chunks.checked.continuous_usage else _closing(chunks, last)
