"""Returns text.

misunderstood: the server turns text into bytes on its way out
seen in: an ordinary slip
task: 4.3
check: test_event
"""


def event(data):
    return f"data: {json.dumps(data)}\n\n"
