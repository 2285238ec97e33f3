"""Parses by hand, and leaves only the fields to pydantic."""

import json

from pydantic import ValidationError

from chapters.core import ApiError, Body, explain


def _object(body):
    if not body:
        raise ApiError(400, "there is no body")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ApiError(400, f"not UTF-8 at byte {error.start}") from error
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ApiError(400, f"not JSON: {error}") from error
    if type(value) is not dict:
        raise ApiError(400, f"expected an object, got a {type(value).__name__}")
    return value


def parse_request(body, served, *, streaming=False):
    value = _object(body)
    try:
        request = Body.model_validate(value)
    except ValidationError as error:
        where, why = explain(error)
        raise ApiError(422 if where is None else 400, why, where) from error
    if request.model is not None and request.model != served:
        words = f"the model {request.model} is not here, only {served}"
        raise ApiError(404, words, param="model", code="model_not_found")
    if request.stream:
        if not streaming:
            raise ApiError(400, "no streams here", param="stream", code="unsupported")
    return request.checked()
