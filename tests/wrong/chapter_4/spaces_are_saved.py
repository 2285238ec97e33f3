"""Squeezes the JSON after it was written.

misunderstood: white space in JSON has no meaning
seen in: an ordinary slip
task: 4.3
check: test_event
"""


def event(data):
    return b"data: " + b" ".join(json.dumps(data).encode().split()) + b"\n\n"
