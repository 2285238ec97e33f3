"""Sends the usage after [DONE].

misunderstood: [DONE] ends the text, not the stream
seen in: an ordinary slip
task: 4.3
check: test_usage
"""


def closing(chunks, last):
    usage = chunks.checked.include_usage and not last.error
    return DONE + (chunks.usage() if usage else b"")
