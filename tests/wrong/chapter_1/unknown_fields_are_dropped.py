"""Drops fields that it does not know before it checks the rest.

misunderstood: an unknown field is none of our business (it is a wish, or a slip of the hand)
seen in: an ordinary slip
task: 1.2
check: test_field_is_named
"""

import json

from chapters.core.schema import NO_EFFECT

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    try:
        found = json.loads(body.decode())
        body = json.dumps(
            {k: v for k, v in found.items() if k in Body.model_fields or k in NO_EFFECT}
        ).encode()
    except (ValueError, RecursionError, AttributeError):
        pass
    return _parse(body, served, streaming=streaming)
