"""Refuses an unknown model without saying which name came.

misunderstood: the client knows what it has sent
seen in: an ordinary slip
task: 1.2
check: test_unknown_model
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        words = f"model: only {served!r} is served" if error.status == 404 else error.message
        raise ApiError(error.status, words, error.param, error.code) from None
