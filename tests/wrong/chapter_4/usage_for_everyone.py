"""Sends the usage to everybody.

misunderstood: more information does no harm
seen in: an ordinary slip
task: 4.3
check: test_usage
"""


def closing(chunks, last):
    return (b"" if last.error else chunks.usage()) + DONE
