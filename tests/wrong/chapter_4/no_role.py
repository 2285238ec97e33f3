"""Opens with nothing.

misunderstood: a client knows who speaks
seen in: an ordinary slip
task: 4.3
check: test_opening
"""


def opening(chunks):
    return b""
