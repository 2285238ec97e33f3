"""Accepts `stream` true and answers without a stream.

misunderstood: a field that is not supported yet can be ignored until it is
seen in: mini-sglang#125, the other way round
task: 1.2
check: test_stream_too_early
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    return _parse(body, served, streaming=True)
