"""Task 1.2: from the bytes of a body to a checked request, or to an error that helps.

Knows fields and statuses; no sockets, no model. Nothing is generated until this has passed.
"""

from __future__ import annotations

from pydantic import ValidationError

from chapters.core import ApiError, Body, CheckedRequest, explain


def parse_request(body: bytes, served: str, *, streaming: bool = False) -> CheckedRequest:
    """The request in this body.

    body: what the client sent, perhaps empty, perhaps no JSON.
    served: the name of the one model that this server has. A request may name it or name none.
    streaming: whether this server can stream yet; from chapter 4 on it can.

    `Body` (given) describes all fields; `Body.model_validate_json(bytes)` returns a `Body` or
    raises pydantic's ValidationError, which `explain` (given) turns into (field, sentence).
    `Body.checked()` is the value to return.

    Raises ApiError, whose `param` is the field that was wrong, and whose `message` says so in
    one sentence, as `explain` does: the field, what came, what may come.
        400  the body is no JSON object in UTF-8 (param None), or a field of it is wrong
        404  `model` is any other name than `served`, "" too: code "model_not_found", and the
             message has both names
        400  `stream` is true and this server cannot stream yet: param "stream"

    Source: OpenAI's API reference, "Create chat completion"; RFC 9110, 15.5 for the statuses.
    """
    # BEGIN SOLUTION
    try:
        fields = Body.model_validate_json(body)
    except ValidationError as error:
        param, message = explain(error)
        raise ApiError(400, message, param) from None
    if fields.model not in (None, served):
        message = f"model: {fields.model!r} is not served here; {served!r} is"
        raise ApiError(404, message, "model", "model_not_found")
    if fields.stream and not streaming:
        raise ApiError(400, "stream: true is not supported by this server yet", "stream")
    return fields.checked()
    # END SOLUTION
