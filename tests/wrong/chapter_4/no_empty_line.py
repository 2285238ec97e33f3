"""Ends an event with one line end.

misunderstood: a line is an event
seen in: an ordinary slip
task: 4.3
check: test_event
"""


def event(data):
    return b"data: " + json.dumps(data).encode() + b"\n"
