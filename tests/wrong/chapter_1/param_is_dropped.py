"""Says what is wrong and not where.

misunderstood: a message is enough; nobody reads `param`
seen in: an ordinary slip
task: 1.2
check: test_field_is_named
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        raise ApiError(error.status, error.message, None, error.code) from None
