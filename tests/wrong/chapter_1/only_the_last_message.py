"""Keeps the last message of the conversation.

misunderstood: the question is the last message, and the rest is history
seen in: an ordinary slip
task: 1.2
check: test_good_request
"""

from dataclasses import replace

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    checked = _parse(body, served, streaming=streaming)
    return (
        checked if isinstance(checked.source, str) else replace(checked, source=checked.source[-1:])
    )
