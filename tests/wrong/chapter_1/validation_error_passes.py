"""Does not catch the validation error.

misunderstood: a library that raises an error also answers the client
seen in: an ordinary slip
task: 1.2
check: test_no_json
"""


def parse_request(body, served, *, streaming=False):
    fields = Body.model_validate_json(body)
    if fields.model not in (None, served):
        raise ApiError(404, f"model {fields.model!r}: use {served!r}", "model", "model_not_found")
    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")
    return fields.checked()
