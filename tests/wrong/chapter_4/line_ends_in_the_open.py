"""Writes every character as it is.

misunderstood: only LF ends a line
seen in: an ordinary slip
task: 4.3
check: test_line_ends_in_the_text
"""


def event(data):
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
