"""Takes an empty model name for none.

misunderstood: `if fields.model` asks whether a name was given ("" is a name, and unknown)
seen in: an ordinary slip
task: 1.2
check: test_unknown_model
"""


def parse_request(body, served, *, streaming=False):
    try:
        fields = Body.model_validate_json(body)
    except ValidationError as error:
        param, message = explain(error)
        raise ApiError(400, message, param) from None
    if fields.model and fields.model != served:
        raise ApiError(404, f"model {fields.model!r}: use {served!r}", "model", "model_not_found")

    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")
    return fields.checked()
