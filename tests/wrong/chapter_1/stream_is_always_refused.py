"""Refuses `stream` whatever this server can do.

misunderstood: this chapter cannot stream, so nothing ever will
seen in: an ordinary slip
task: 1.2
check: test_stream_when_taught
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    return _parse(body, served, streaming=False)
