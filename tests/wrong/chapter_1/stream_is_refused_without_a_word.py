"""Refuses a stream with an error whose message is empty.

misunderstood: `param` has said it already, so the message may be left empty
seen in: an ordinary slip
task: 1.2
check: test_stream_too_early
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    checked = _parse(body, served, streaming=True)
    if checked.stream and not streaming:
        raise ApiError(400, "", "stream")
    return checked
