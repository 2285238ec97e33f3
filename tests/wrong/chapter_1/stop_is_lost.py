"""Builds the request anew and forgets a field.

misunderstood: fields that most requests do not send do not matter
seen in: teaching servers that accept `stop` and `n` and ignore them
task: 1.2
check: test_good_request
"""

from dataclasses import replace

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    checked = _parse(body, served, streaming=streaming)
    return replace(checked, sampling=replace(checked.sampling, stop=()))
