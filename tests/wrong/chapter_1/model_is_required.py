"""Refuses a request that names no model.

misunderstood: null and absent are names of an unknown model
seen in: an ordinary slip
task: 1.2
check: test_model_may_be_absent
"""

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    checked = _parse(body, served, streaming=streaming)
    if Body.model_validate_json(body).model is None:
        raise ApiError(404, f"model None: use {served!r}", "model", "model_not_found")
    return checked
