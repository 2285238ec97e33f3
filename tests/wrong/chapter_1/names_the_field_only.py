"""Says which field is wrong and not why.

misunderstood: the field's name is the whole message
seen in: an ordinary slip
task: 1.2
check: test_field_is_named
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        if error.status == 404:
            raise
        raise ApiError(400, f"invalid request: {error.param}", error.param) from None
