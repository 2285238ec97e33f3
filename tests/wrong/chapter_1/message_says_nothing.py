"""Answers every wrong field with the same words.

misunderstood: naming the field in `param` is enough; the message is decoration
seen in: an ordinary slip
task: 1.2
check: test_field_is_named
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        words = error.message if error.param == "model" else "invalid request"
        raise ApiError(error.status, words, error.param, error.code) from None
