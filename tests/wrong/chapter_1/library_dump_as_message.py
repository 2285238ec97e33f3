"""Sends pydantic's own report, four lines with a link, to the client.

misunderstood: str(error) is a message for people
seen in: an ordinary slip
task: 1.2
check: test_field_is_named
"""


def parse_request(body, served, *, streaming=False):
    try:
        fields = Body.model_validate_json(body)
    except ValidationError as error:
        raise ApiError(400, str(error), explain(error)[0]) from None
    if fields.model not in (None, served):
        raise ApiError(404, f"model {fields.model!r}: use {served!r}", "model", "model_not_found")
    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")
    return fields.checked()
