"""Sends no [DONE] after an error.

misunderstood: [DONE] means that all went well
seen in: an ordinary slip
task: 4.3
check: test_a_failure_on_the_way
"""

_closing = closing


def closing(chunks, last):
    return b"" if last.error else _closing(chunks, last)
