"""Parses with json.loads, which also takes UTF-16, UTF-32 and a BOM.

misunderstood: json.loads(bytes) reads UTF-8 only
seen in: an ordinary slip
task: 1.2
check: test_no_json
"""

import json


def parse_request(body, served, *, streaming=False):
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
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
