"""Names the outermost field of a nested fault.

misunderstood: the first step of the path is the field
seen in: an ordinary slip
task: 1.2
check: test_nested_field_is_named
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        return _parse(body, served, streaming=streaming)
    except ApiError as error:
        param = error.param and error.param.partition("[")[0]
        raise ApiError(error.status, error.message, param, error.code) from None
