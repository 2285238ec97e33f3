"""Sends the usage after an error too.

misunderstood: whoever asked for the usage gets it
seen in: an ordinary slip
task: 4.3
check: test_a_failure_on_the_way
"""


def closing(chunks, last):
    return (chunks.usage() if chunks.checked.include_usage else b"") + DONE
