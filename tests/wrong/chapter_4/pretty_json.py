"""Writes the JSON over several lines.

misunderstood: JSON is JSON, however it is laid out
seen in: an ordinary slip
task: 4.3
check: test_event
"""


def event(data):
    return b"data: " + json.dumps(data, indent=1).encode() + b"\n\n"
