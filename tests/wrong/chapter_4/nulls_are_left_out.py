"""Leaves out what is None.

misunderstood: null and missing are the same
seen in: an ordinary slip
task: 4.3
check: test_event
"""

_event = event


def event(data):
    return _event({key: value for key, value in data.items() if value is not None})
