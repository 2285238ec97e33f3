"""Builds the checked request by hand from the messages, so that a prompt is a TypeError.

misunderstood: a request has messages
seen in: an ordinary slip
task: 1.2
check: test_good_prompt
"""

import dataclasses

from chapters.core import Message


def parse_request(body, served, *, streaming=False):
    try:
        fields = Body.model_validate_json(body)
    except ValidationError as error:
        param, message = explain(error)
        raise ApiError(400, message, param) from None
    if fields.model not in (None, served):
        raise ApiError(404, f"model {fields.model!r}: use {served!r}", "model", "model_not_found")

    if fields.stream and not streaming:
        raise ApiError(400, "stream is not supported yet", "stream")

    if fields.messages is None and fields.prompt is None:
        raise ApiError(400, "messages: required", "messages")
    return dataclasses.replace(
        fields.checked(), source=tuple(Message(t.role, t.content) for t in fields.messages)
    )
