"""Serves its one model under any name.

misunderstood: the `model` field chooses nothing here, so it can be ignored
seen in: most small servers
task: 1.2
check: test_unknown_model
"""


def parse_request(body, served, *, streaming=False):
    try:
        fields = Body.model_validate_json(body)
    except ValidationError as error:
        param, message = explain(error)
        raise ApiError(400, message, param) from None
    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")
    return fields.checked()
