"""Writes the object as Python shows it.

misunderstood: str() of a dict is JSON
seen in: an ordinary slip
task: 4.3
check: test_event
"""


def event(data):
    return f"data: {data}\n\n".encode()
