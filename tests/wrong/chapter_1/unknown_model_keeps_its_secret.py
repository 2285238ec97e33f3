"""Refuses an unknown model without naming the one served.

misunderstood: a 404 explains itself
seen in: an ordinary slip
task: 1.2
check: test_unknown_model
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        words = "no such model" if error.status == 404 else error.message
        raise ApiError(error.status, words, error.param, error.code) from None
