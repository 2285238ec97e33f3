"""Parses by hand and catches JSONDecodeError alone.

misunderstood: bytes that are no JSON fail in one way only (UTF-8 and nesting fail in others)
seen in: an ordinary slip
task: 1.2
check: test_no_json
"""

import json


def parse_request(body, served, *, streaming=False):
    try:
        found = json.loads(body)
    except json.JSONDecodeError as error:
        raise ApiError(400, f"the body is not JSON: {error}") from None
    try:
        fields = Body.model_validate(found)
    except ValidationError as error:
        param, message = explain(error)
        raise ApiError(400, message, param) from None
    if fields.model not in (None, served):
        raise ApiError(404, f"model {fields.model!r}: use {served!r}", "model", "model_not_found")
    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")
    return fields.checked()
